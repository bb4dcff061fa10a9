"""`ml.compile(check=True)` runs eager beside compiled and compares; `ml.compile.minify` shrinks what differs."""
