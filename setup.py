"""Packaging: two packages, the lists as the data package apt.lists, the commands, the extras."""

import re
from pathlib import Path

from setuptools import setup

HERE = Path(__file__).parent
VERSION = re.search(r'__version__ = "(.+)"', (HERE / "apt/version.py").read_text(encoding="utf-8"))[1]

setup(
    name="apt-score",
    version=VERSION,
    description="Reference-based evaluation of pronoun translation: APT and AutoPRF",
    long_description=(HERE / "README.md").read_text(encoding="utf-8"),
    long_description_content_type="text/markdown",
    license="Apache-2.0",
    license_files=["LICENSE", "NOTICE"],
    keywords=["machine translation", "evaluation", "pronouns", "anaphora", "discourse"],
    classifiers=[
        "Development Status :: 4 - Beta",
        "Environment :: Console",
        "Intended Audience :: Science/Research",
        "Programming Language :: Python :: 3",
        "Topic :: Text Processing :: Linguistic",
        "Typing :: Typed",
    ],
    python_requires=">=3.11",
    packages=[
        "apt",
        "apt.align",
        "apt.cli",
        "apt.contrast",
        "apt.meta",
        "apt.render",
        "apt.lists",
        "autoprf",
    ],
    package_dir={"apt": "apt", "apt.lists": "lists", "autoprf": "autoprf"},
    package_data={
        "apt": ["py.typed"],
        "apt.align": ["lexicons/*.lex"],
        "apt.contrast": ["templates/*.toml"],
        "apt.lists": ["*.toml"],
        "apt.render": ["*.schema.json"],
        "autoprf": ["py.typed", "*.schema.json"],
    },
    install_requires=["numpy>=1.26", "scipy>=1.11", "click>=8.1", "regex>=2023.10.3", "jinja2>=3.1"],
    extras_require={
        "simalign": ["simalign>=0.4"],
        "evaluate": ["evaluate>=0.4"],
        "models": ["transformers>=4.40", "torch>=2.1", "sentencepiece>=0.1.99"],
        "plots": ["matplotlib>=3.8"],
        "test": [
            "build>=1.0",
            "hypothesis>=6.90",
            # Asks for one old version of scipy, which newer Pythons do not have.
            "irrCAC>=0.4.2; python_version < '3.13'",
            "jsonschema>=4.20",
            "matplotlib>=3.8",
            "mypy>=1.8",
            "pytest>=7.4",
            "ruff>=0.4",
            "scikit-learn>=1.4",
            "sacrebleu>=2.4",
            "setuptools>=77",
            "types-jsonschema>=4.20",
            "types-regex>=2023.10.3",
            "wheel>=0.42",
        ],
    },
    entry_points={
        "console_scripts": [
            "apt-score = apt.cli.score:main",
            "apt-align = apt.cli.align:main",
            "apt-align-train = apt.cli.train:main",
            "apt-meta = apt.cli.meta:main",
            "apt-contrast = apt.cli.contrast:main",
            "autoprf-score = autoprf.cli:main",
        ]
    },
)
