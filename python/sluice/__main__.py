"""`sluice`, the command line, as `python -m sluice` and as a script."""

import subprocess
import sys

from ._process import command


def main():
    """Hands over to Sluice; a terminal sends Ctrl-C to both, and Sluice says what it ends with."""
    with subprocess.Popen(command(sys.argv[1:])) as child:
        while True:
            try:
                sys.exit(child.wait())
            except KeyboardInterrupt:
                continue


if __name__ == "__main__":
    main()
