"""Pronoun lists, one TOML file a language; installed as the package apt.lists."""
