"""Reading a contrastive set of any format."""

from pathlib import Path

from apt.contrast.bawden import bawden_set
from apt.contrast.contracat import contracat_set
from apt.contrast.contrapro import contrapro_set
from apt.contrast.fields import read_json
from apt.contrast.instances import ContrastiveSet
from apt.corpus import name_of
from apt.errors import InputError


def read_set(path: str) -> ContrastiveSet:
    """A folder is ContraCAT's; of JSON files a list is ContraPro's, an object Bawden's."""
    if Path(path).is_dir():
        return contracat_set(path)
    content = read_json(path)
    name = name_of(path)
    if isinstance(content, list):
        return contrapro_set(content, name)
    if isinstance(content, dict):
        return bawden_set(content, name)
    raise InputError("neither a list (ContraPro) nor an object (Bawden's sets)", name)
