"""Programs that use mini: a reader of digits and a small GPT."""
