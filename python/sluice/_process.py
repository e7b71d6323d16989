"""Starts Sluice under Deno, with the permissions that its package asks for."""

import json
import os
import subprocess
import sys
from pathlib import Path

import deno

PACKAGE = Path(__file__).parent / "_package"
MARKERS = ("deno.json", "deno.jsonc", "package.json")


class SluiceError(Exception):
    """The message of a refusal or failure of Sluice; `status` as in the shell (2: the input is wrong)."""

    def __init__(self, said, status):
        super().__init__(said or f"sluice ended with status {status}")
        self.status = status


def version():
    """The version of the package, `0.1.0`."""
    return json.loads((PACKAGE / "package.json").read_text())["version"]


def command(arguments, folder=None):
    """The whole command line of `sluice ARGUMENTS`, given in `folder`."""
    main = PACKAGE / "src" / "cli" / "main.js"
    return [binary(), "run", *flags(Path(folder or os.getcwd())), str(main), *map(str, arguments)]


def call(arguments, folder=None, progress=False, accept=(0,), said_as_json=False):
    """Runs a command; returns what it printed.

    progress: whether its messages are passed on while it works. Ctrl-C is Sluice's to answer.
    said_as_json: whether it prints its refusals too, as JSON.

    Raises SluiceError for a status that is not in `accept`, unless it was said as JSON.
    """
    with subprocess.Popen(
        command(arguments, folder), cwd=folder, env={**os.environ, "NO_COLOR": "1"},
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        text=True, encoding="utf-8",
    ) as child:
        said = []
        printed = _both(child, said, progress)
    if said_as_json and printed.startswith("{"):
        return printed
    if child.returncode not in accept:
        raise SluiceError("".join(said).strip() or printed.strip(), child.returncode)
    return printed


def _both(child, said, progress):
    """Reads messages as they come, and what is printed beside them."""
    from threading import Thread

    def listen():
        for line in child.stderr:
            said.append(line)
            if progress:
                sys.stderr.write(line)

    listener = Thread(target=listen, daemon=True)
    listener.start()
    printed = _patiently(child)
    listener.join()
    return printed


def _patiently(child):
    """All that a process prints; the first Ctrl-C is left to it, which ends in its own way."""
    pieces = []
    while True:
        try:
            pieces.append(child.stdout.read())
            child.wait()
            return "".join(pieces)
        except KeyboardInterrupt:
            continue


def binary():
    """The Deno of the package `deno`, links resolved: Sluice starts no other."""
    return os.path.realpath(os.fsdecode(deno.find_deno_bin()))


def flags(folder):
    """Flags of `deno run`, as a checkout's task has them; only the folders are others here."""
    return [_flag(one, folder) for one in json.loads((PACKAGE / "bin" / "flags.json").read_text())]


def _flag(flag, folder):
    if flag.startswith("--allow-write="):
        return "--allow-write=" + ",".join(map(_escaped, [project(folder), *_config_folders()]))
    if flag.startswith("--allow-run=deno,"):
        flag = flag.replace("=deno,", f"={_escaped(binary())},", 1)
    flag = flag.replace("./node_modules", _escaped(PACKAGE / "node_modules"))
    return flag.replace("./src/", _escaped(PACKAGE / "src") + "/")


def project(folder):
    """The nearest folder, from `folder` up, that has a deno.json or package.json; else `folder`."""
    folder = Path(folder).resolve()
    marked = (one for one in (folder, *folder.parents) if any((one / m).exists() for m in MARKERS))
    return next(marked, folder)


def _config_folders():
    """Where the user's key and list of trust may lie."""
    own, home = os.environ.get("XDG_CONFIG_HOME"), os.environ.get("HOME")
    folders = [own, os.path.join(home, ".config") if home else None]
    return [os.path.join(one, "sluice") for one in folders if one and os.path.isabs(one)]


def _escaped(path):
    """Deno separates paths by commas, and takes two for one."""
    return str(path).replace(",", ",,")
