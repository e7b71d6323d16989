"""Log densities that real PyMC gives programs which were printed from their graphs.

Run: deno run -A tests/engine/print/printed_programs.ts | python tools/golden/printed_programs.py > tests/golden/printed_programs.json
"""

import hashlib
import json
import pathlib
import runpy
import sys
import tempfile

import numpy as np
import pymc as pm

jobs = json.load(sys.stdin)
programs = []
for job in jobs:
    with tempfile.TemporaryDirectory() as folder:
        for name, content in {**job["data"], "program.py": job["file"]}.items():
            pathlib.Path(folder, name).write_text(content)
        model = runpy.run_path(str(pathlib.Path(folder, "program.py")))["model"]
    logp = model.compile_logp()
    initial = model.initial_point()
    assert np.isfinite(logp(initial)), job["name"]
    variables = {rv.name: model.rvs_to_values[rv].name for rv in model.free_RVs}
    assert sorted(variables) == sorted(job["names"]), (job["name"], variables)
    rng = np.random.default_rng(17)
    points = []
    for _ in range(5):
        point = {k: rng.normal(0, 0.5, np.shape(v)) for k, v in initial.items()}
        position = {rv: np.ravel(point[value]).tolist() for rv, value in variables.items()}
        points.append({"position": position, "logp": str(float(logp(point)))})
    digest = hashlib.sha256(job["file"].encode()).hexdigest()
    programs.append({"name": job["name"], "file": digest, "points": points})
print(json.dumps({"version": f"PyMC {pm.__version__}, NumPy {np.__version__}", "programs": programs}, indent=1))
