"""``cutaway-cli`` of the package, as the command that pip installs."""

import os
import sys

from .page import program


def main() -> None:
    """Takes this process's place."""
    words = [program(), *sys.argv[1:]]
    os.execv(words[0], words)
