"""Runs a script of yours up to where it samples, and takes the model that it built."""

import os
import sys
from pathlib import Path
from unittest import mock

SAMPLERS = ("sample", "sample_smc", "sample_prior_predictive", "find_MAP", "fit")


class _Built(BaseException):
    """Ends a script where it samples; no `except Exception` of the script holds it up."""


def model_of(path):
    """The `pymc.Model` that a script builds, and the columns of its data frames by name.

    path: of the script. This process runs it as `python SCRIPT` would, until it first draws from a
        model, which is then the one; a script that never draws has built exactly one.

    Raises ValueError where there is none or more than one; exceptions of the script are its own.
    """
    import pymc

    path, names, drawn = Path(path), {}, []
    names.update(__name__="__main__", __file__=str(path))

    def stop(*arguments, model=None, **options):
        drawn.append(pymc.modelcontext(model))
        raise _Built

    code = compile(path.read_text(encoding="utf-8"), str(path), "exec")
    os.environ.setdefault("MPLBACKEND", "Agg")
    stops = {name: stop for name in SAMPLERS}
    asked = {"path": [str(path.parent), *sys.path], "argv": [str(path)]}
    with mock.patch.multiple(pymc, **stops), mock.patch.multiple(sys, **asked):
        try:
            exec(code, names)
        except _Built:
            pass
    return (drawn[0] if drawn else _only(path, names, pymc.Model)), _columns(names)


def _only(path, names, kind):
    built = {id(one): one for one in names.values() if isinstance(one, kind)}
    if len(built) == 1:
        return next(iter(built.values()))
    raise ValueError(
        f"{path} built {len(built)} models and drew from none; wanted one: "
        "call pm.sample on the one that counts, or hand a pymc.Model to sluice.score"
    )


def _columns(names):
    """Columns of all data frames: arrays of the model are named by those whose values they have."""
    frames = [one for one in names.values() if hasattr(one, "columns") and hasattr(one, "items")]
    return {str(name): values for frame in frames for name, values in frame.items()}
