"""Graphs that real PyMC builds of programs which the native front end reads as well.

Run: deno run --allow-read tests/engine/graph_import/programs.ts | python tools/golden/pymc_graphs.py > tests/golden/pymc_graphs.json
"""

import contextlib
import json
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "src" / "engine" / "language" / "graph_import"))

import extract
import numpy as np
import pymc as pm

extract.restore_old_names()
watched, calls = extract.Watched(), extract.watch_distributions()
graphs = []
for job in json.load(sys.stdin):
    try:
        with contextlib.redirect_stdout(sys.stderr):
            graph = extract.graph(job, job["placeholders"][0], {}, watched, calls)
    except extract.Unsupported as reason:
        graph = extract.unsupported(reason)
    except Exception as error:
        graph = {"format": extract.FORMAT, "unsupported": f"{type(error).__name__}: {error}"[:200]}
    graphs.append({"name": job["name"], "graph": graph})
print('{"version": "PyMC %s, NumPy %s",' % (pm.__version__, np.__version__))
print('"command": "deno run --allow-read tests/engine/graph_import/programs.ts | python tools/golden/pymc_graphs.py",')
print('"graphs": [')
print(",\n".join(json.dumps(graph, separators=(",", ":")) for graph in graphs))
print("]}")
