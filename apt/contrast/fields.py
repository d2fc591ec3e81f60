"""Values out of JSON of which nothing is believed: every error says which instance and which key."""

import json
from typing import Any

from apt.corpus import name_of, read_lines
from apt.errors import InputError

_KINDS = {str: "text", list: "a list", dict: "an object", int: "a whole number", bool: "true or false"}


def read_json(path: str) -> Any:
    """The content of a JSON file."""
    lines = read_lines(path)
    try:
        return json.loads("\n".join(lines))
    except json.JSONDecodeError as error:
        raise InputError(f"not JSON: {error.msg}", name_of(path), error.lineno) from None
    except RecursionError:
        raise InputError("not JSON that anybody wrote: it is nested too deeply", name_of(path)) from None
    except ValueError:
        raise InputError("not JSON that anybody wrote: a number is far too long", name_of(path)) from None


class Fields:
    """The keys of one JSON object."""

    def __init__(self, content: Any, path: str, place: str) -> None:
        self._path, self._place = path, place
        if not isinstance(content, dict):
            raise self.error(f"an object expected, found {_shown(content)}")
        self._content = content

    def error(self, message: str) -> InputError:
        """What is wrong, and where."""
        return InputError(f"{self._place}: {message}", self._path)

    def text(self, key: str) -> str:
        """Text that must be there, without the line breaks that a file of lines cannot hold."""
        value = self._line(key, self._needed(key, str))
        if not value:
            raise self.error(f"key {key!r} is empty")
        return value

    def items(self, key: str) -> list[Any]:
        """A list that must be there and hold something."""
        value: list[Any] = self._needed(key, list)
        if not value:
            raise self.error(f"key {key!r}: the list is empty")
        return value

    def sentences(self, key: str) -> tuple[str, ...]:
        """A list of sentences that must be there."""
        values = self.items(key)
        if not all(isinstance(value, str) and value.strip() for value in values):
            faulty = next(value for value in values if not isinstance(value, str) or not value.strip())
            raise self.error(f"key {key!r}: a list of sentences expected, found {_shown(faulty)} in it")
        return tuple(self._line(key, value) for value in values)

    def optional_text(self, key: str) -> str | None:
        """Text that may be null, absent or empty, as one line."""
        value = self.optional(key, str)
        return None if value is None else self._line(key, value)

    def optional(self, key: str, kind: type[Any]) -> Any:
        """A value that may be null or absent, and is None then."""
        return None if self._content.get(key) is None else self._needed(key, kind)

    def __contains__(self, key: str) -> bool:
        return key in self._content

    def inner(self, content: Any, what: str) -> "Fields":
        """An object inside this one."""
        return Fields(content, self._path, f"{self._place}, {what}")

    def _line(self, key: str, text: str) -> str:
        """Text as one line of a file: what is scored line by line must not break."""
        if "\0" in text or not _is_unicode(text):
            raise self.error(f"key {key!r}: a character that no text file can hold in {_shown(text)}")
        return " ".join(text.replace("\r\n", "\n").replace("\r", "\n").split("\n")).strip()

    def _needed(self, key: str, kind: type[Any]) -> Any:
        if key not in self._content:
            raise self.error(f"key {key!r} is missing. Keys: {', '.join(map(str, self._content)) or 'none'}")
        value = self._content[key]
        if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
            raise self.error(f"key {key!r}: {_KINDS[kind]} expected, found {_shown(value)}")
        return value


def _is_unicode(text: str) -> bool:
    """Half a surrogate pair can be written in JSON, but is no character."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _shown(value: Any) -> str:
    if isinstance(value, list | dict):
        return _KINDS[type(value)]
    text = json.dumps(value, ensure_ascii=isinstance(value, str) and not _is_unicode(value))
    return text if len(text) <= 40 else f"{text[:40]}…"
