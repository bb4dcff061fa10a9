"""Small programs as people write them, each compared with itself, compiled."""
