"""Capture of ordinary Python: a machine that interprets bytecode, and a recorder that writes down what it does."""
