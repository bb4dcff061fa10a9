"""The loop IR: what a kernel does, as loops that a reader can print, and from which every target is printed."""
