"""The command line: one thin module a command. Everything that decides something is in the library."""
