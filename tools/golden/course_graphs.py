"""Graphs that real PyMC builds of programs in the style of a course, or why there is none.

Run: deno run --allow-read tests/engine/graph_import/course_programs.ts | python tools/golden/course_graphs.py > tests/golden/course_graphs.json
"""

import contextlib
import json
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "src" / "engine" / "graph_import"))

import extract
import numpy as np
import pymc as pm

extract.restore_old_names()
watched, calls = extract.Watched(), extract.watch_distributions()
graphs = []
for job in json.load(sys.stdin):
    try:
        with contextlib.redirect_stdout(sys.stderr):
            graph = extract.graph(job, job["placeholders"][0], watched, calls)
    except extract.Unsupported as reason:
        graph = extract.unsupported(reason)
    except Exception as error:
        graph = {"format": extract.FORMAT, "failed": extract.failure(error)}
    graphs.append({"name": job["name"], "graph": graph})
print('{"version": "PyMC %s, NumPy %s",' % (pm.__version__, np.__version__))
print('"graphs": [')
print(",\n".join(json.dumps(graph, separators=(",", ":")) for graph in graphs))
print("]}")
