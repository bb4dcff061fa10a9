"""How the book is made: lessons are run, views are embedded, indexes are written, links are checked."""
