"""Sluice in Python: scores PyMC programs, ranks model spaces, runs pipelines.

>>> import sluice
>>> sluice.rank(frame, "length ~ [age | log(age)]")           # doctest: +SKIP
>>> sluice.score("curve.py", frame).elpd_loo                   # doctest: +SKIP
>>> sluice.runs("select * from evaluation")                    # doctest: +SKIP

Sluice itself does the work under Deno, which comes along as a package; it reads and scores programs
in its sandbox, never in this process.
"""

from ._certify import Certificate, certify
from ._process import SluiceError, version
from ._next import Candidates, next
from ._rank import Answer, rank
from ._runs import Run, run, runs
from ._score import Score, compare, score

__all__ = ["Answer", "Candidates", "Certificate", "Run", "Score", "SluiceError", "certify", "compare", "next", "rank", "run", "runs", "score"]
__version__ = version()
