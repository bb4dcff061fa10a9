"""The back ends: a file each, whose `BACKEND` says what it can. A file that is added here is a back end."""
