"""Tables out of TOML of which nothing is believed: every error says which table and which key."""

from collections.abc import Mapping, Sequence
from typing import Any

from apt.errors import InputError


class Checked:
    """One table; `place` is how messages call it. Keys that are not allowed are an error."""

    def __init__(self, content: Any, place: str, path: str, allowed: Sequence[str] | None = None) -> None:
        self.place, self._path = place, path
        if not isinstance(content, dict):
            raise self.error("must be a table")
        self.content: Mapping[str, Any] = content
        if allowed is not None:
            self.allow(allowed)

    def error(self, message: str) -> InputError:
        """What is wrong, and where."""
        return InputError(f"{self.place}: {message}", self._path)

    def allow(self, allowed: Sequence[str]) -> None:
        """Raise if there is a key that means nothing."""
        if unknown := sorted(set(self.content) - set(allowed)):
            raise self.error(f"unknown key {unknown[0]!r}. Allowed: {', '.join(allowed)}")

    def text(self, key: str, default: str | None = None) -> str:
        """Text; it must be there unless there is a default."""
        value = self._value(key, default)
        if not isinstance(value, str) or (default is None and not value.strip()) or "\n" in value:
            raise self.error(f"key {key!r}: must be text of one line")
        return value

    def flag(self, key: str) -> bool:
        """True or false; false by default."""
        value = self.content.get(key, False)
        if not isinstance(value, bool):
            raise self.error(f"key {key!r}: must be true or false")
        return value

    def choice(self, key: str, known: Sequence[str]) -> str | None:
        """One of the known values, or None if the key is absent."""
        value = self.content.get(key)
        if value is not None and value not in known:
            raise self.error(f"key {key!r}: no {value!r}. Known: {', '.join(known)}")
        return None if value is None else str(value)

    def words(self, key: str, needed: bool = False) -> tuple[str, ...]:
        """A list of different words; it may be absent unless it is needed."""
        value = self._value(key, None if needed else [])
        if not isinstance(value, list) or not all(isinstance(each, str) and each for each in value):
            raise self.error(f"key {key!r}: must be a list of words")
        if len(set(value)) < len(value) or (needed and not value):
            raise self.error(f"key {key!r}: must be a list of different words")
        return tuple(value)

    def table(self, key: str, optional: bool = False) -> "Checked":
        """A table inside this one."""
        value = self._value(key, {} if optional else None)
        return Checked(value, f"{self.place}, {key!r}", self._path)

    def tables(self, key: str, allowed: Sequence[str]) -> list["Checked"]:
        """A list of tables that holds something."""
        value = self._value(key, None)
        if not isinstance(value, list) or not value:
            raise self.error(f"key {key!r}: must be a list of tables")
        return [
            Checked(each, f"{key}, entry {number} (from 0)", self._path, allowed)
            for number, each in enumerate(value)
        ]

    def texts(self) -> dict[str, str]:
        """All keys, every one with text."""
        return {key: self.text(key) for key in self.content}

    def forms(self, key: str, allowed: Sequence[str] | None = None, whole: bool = False) -> dict[str, str]:
        """Forms by name; with `whole` every allowed one must be there."""
        table = self.table(key)
        if allowed is not None:
            table.allow(allowed)
        if whole and (missing := [name for name in allowed or () if name not in table.content]):
            raise table.error(f"no form {missing[0]!r}")
        if not table.content:
            raise table.error("there is no form")
        return table.texts()

    def _value(self, key: str, default: Any) -> Any:
        value = self.content.get(key, default)
        if value is None:
            raise self.error(f"key {key!r} is missing. Keys: {', '.join(self.content) or 'none'}")
        return value
