"""The one exception family a user can meet: what is wrong, in which file, on which line.

Every message fits on one line, so that the command line can print it as it is.
"""


class AptError(Exception):
    """Anything the user can mend: a wrong option, a bad file, inputs that do not fit together."""


class OptionError(AptError):
    """An option whose value is not allowed, or options that exclude each other."""


class InputError(AptError):
    """Input text, links or lists that cannot be used; says where.

    `line` is one-based, as editors count; everything that is data counts from zero.
    """

    def __init__(self, message: str, path: str | None = None, line: int | None = None) -> None:
        self.message = message
        self.path = path
        self.line = line
        super().__init__(message, path, line)

    def __str__(self) -> str:
        place = [] if self.path is None else [self.path]
        if self.line is not None:
            place.append(f"line {self.line}")
        return f"{', '.join(place)}: {self.message}" if place else self.message
