"""Writes a golden file so that cases which were not asked for stay as they are."""

import json
import sys


def write_cases(path, made, key, asked, indent=None):
    """Writes `made`; where some names were asked for, puts their cases into those that the file has.

    `made[key]` is a list of cases with a `name` each, or more of one name in a row. Without names the
    file is replaced. With names the rest of the file must come from the same versions.
    """
    if asked:
        made = {**made, key: merged(read_same_versions(path, made), made[key], key)}
    path.write_text(json.dumps(made, indent=indent) + "\n")
    return made[key]


def read_same_versions(path, made):
    """Contents of the file, if the present versions made it; exits otherwise."""
    before = json.loads(path.read_text())
    if before["versions"] != made["versions"]:
        sys.exit(f"{path} was made by {before['versions']}, this is {made['versions']}: make all of it, without names")
    return before


def merged(before, cases, key):
    """The cases of a file, those of a name made now instead of the earlier ones; new names last."""
    names = list(dict.fromkeys(case["name"] for case in cases))
    if not names:
        sys.exit("none of these names is a case: nothing was written")
    of = {name: [case for case in cases if case["name"] == name] for name in names}
    out = []
    for case in before[key]:
        out += of.pop(case["name"], []) if case["name"] in names else [case]
    return out + [case for rest in of.values() for case in rest]
