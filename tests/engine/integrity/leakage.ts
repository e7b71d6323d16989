/** A program that leaves behind what it can, and one that counts what it finds of it. */

/** Files in every place that might be shared, patched modules, variables, and a full random state. */
export const leaks = `import os
import tempfile
import numpy as np
import pymc as pm
import pytensor

np.random.seed(1)
pm.Normal.sluice_was_here = True
np.sluice_was_here = True
os.environ["SLUICE_WAS_HERE"] = "1"
places = [tempfile.gettempdir(), os.path.expanduser("~"), "/dev/shm", "/var/tmp",
          str(pytensor.config.base_compiledir), os.path.dirname(pm.__file__)]
written = 0
for place in places:
    try:
        os.makedirs(place, exist_ok=True)
        with open(os.path.join(place, "sluice_was_here"), "w") as file:
            file.write("1")
        written += 1
    except OSError:
        pass
with pm.Model() as model:
    a = pm.Normal("a", written, 2)
    pm.Normal("y", a, 1, observed=data["y"])
`;

/** Its prior has the number of traces as its mean, and a random number as its deviation. */
export const observer = `import os
import tempfile
import numpy as np
import pymc as pm
import pytensor

places = [tempfile.gettempdir(), os.path.expanduser("~"), "/dev/shm", "/var/tmp",
          str(pytensor.config.base_compiledir), os.path.dirname(pm.__file__)]
found = sum(os.path.exists(os.path.join(place, "sluice_was_here")) for place in set(places))
found += hasattr(pm.Normal, "sluice_was_here") + hasattr(np, "sluice_was_here")
found += "SLUICE_WAS_HERE" in os.environ
with pm.Model() as model:
    a = pm.Normal("a", 10 * found, 2)
    s = pm.HalfNormal("s", 1)
    pm.Normal("y", a + data["x"], s, observed=data["y"])
`;
