"""What type checkers and completion see: `py.typed`, and stubs that are written from the functions themselves."""
