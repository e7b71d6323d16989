/** Tests of what foreign Python may be: programs of every day may run, what reaches further may not. */
import assert from "node:assert/strict";
import { refusePython } from "../../../src/executor/pymc/allowed_python.ts";
import { sharedPrograms } from "../../engine/graph_import/programs.ts";

Deno.test("all programs that both front ends read may run", () => {
  const refused = sharedPrograms().flatMap(({ name, program }) => {
    const found = refusePython(program);
    return found ? [`${name}: ${found.message}`] : [];
  });
  assert.deepEqual(refused, []);
});

const honest = [
  "import numpy as np\nnp.linalg.norm([1.0])\nnp.add.reduce([1])\nnp.random.default_rng(1)",
  "import pymc as pm\nc = pm.gp.cov.ExpQuad(1, ls=1)\npm.distributions.transforms.ordered",
  "import matplotlib.pyplot as plt\nplt.rcParams['figure.dpi'] = 100",
  'import pymc as pm\nprint(f"Running on PyMC v{pm.__version__}")',
  'if __name__ == "__main__":\n    pass',
  "from pymc import Model, Normal, math as pmath\nfrom pymc.math import exp, dot",
  "from typing import List, Optional\nimport logging\nlogging.getLogger('pymc').setLevel(40)",
  "from scipy.special import expit\nfrom collections import defaultdict\nimport warnings",
  "from pathlib import Path\nimport arviz as az\naz.style.use('arviz-darkgrid')",
  "import pytensor.tensor as pt\npt.linalg.cholesky(pt.eye(2))\nx = {}\nx['a'] = 1",
];

for (const text of honest) {
  Deno.test(`may run: ${text.split("\n")[0]}`, () => assert.equal(refusePython(text), undefined));
}

/** Texts, the code that they get, and the line of the place. */
const attacks: readonly (readonly [text: string, code: string, line: number])[] = [
  ["import json\nreal = json.dumps\njson.dumps = lambda o: o", "import", 1],
  ["import pymc as pm\npm.Model.add_coord = None", "statement", 2],
  ["import pymc as pm\nm = pm\nfor m.x in [1]: pass", "statement", 3],
  ["import pymc as pm\nx, pm.y = 1, 2", "statement", 2],
  ["import pymc as pm\nx = [0 for pm.y in [1]]", "statement", 2],
  ["import pymc as pm\nwith a as pm.y: pass", "statement", 2],
  ["import pymc as pm\npm.y: int = 1", "statement", 2],
  ["import pymc as pm\npm.y += 1", "statement", 2],
  ["import numpy as np\nnp.lib.format.os", "attribute", 2],
  ["import numpy as np\nx = np\nx.ctypeslib", "attribute", 3],
  ["import numpy as np\nnp.core.x['a'] = 1", "attribute", 2],
  ["import numpy as np\nnp.sctypes['a'] = 1", "statement", 2],
  ["from numpy import ctypeslib", "import", 1],
  ["from numpy.lib import format", "import", 1],
  ["import numpy.core.umath", "import", 1],
  ["import __main__", "import", 1],
  ["from .. import os", "import", 1],
  ["().__class__.__bases__[0].__subclasses__()", "attribute", 1],
  ["x = ().__ｃlass__", "attribute", 1],
  ["ｅval('1')", "function", 1],
  ["getattr(1, 'a')", "function", 1],
  ["f = [open][0]", "function", 1],
  ["def f(x: exec('1') = 1): pass", "function", 1],
  ["def f(x) -> globals(): pass", "function", 1],
  ['x = f"{().__class__}"', "attribute", 1],
  ['x = f"{eval(chr(49))}"', "function", 1],
  ['x = f"{1:{vars()}}"', "syntax", 1],
  ['x = "{0.__class__}".format(1)', "attribute", 1],
  ["x = (i for i in []).gi_frame.f_back.f_globals", "attribute", 1],
  ["T = type('T', (), {})", "function", 1],
  ["class A:\n    def __del__(self): pass", "attribute", 2],
  ["import pandas as pd\npd.DataFrame().query('@x')", "attribute", 2],
  ["import numpy as np\nnp.lib.stride_tricks.as_strided(1)", "attribute", 2],
  ["import pymc as pm\nnp = pm\npm = np", "statement", 3],
  ["import typing\ntyping.get_type_hints(1)", "import", 1],
  ["from typing import get_type_hints", "import", 1],
  ["import string\nstring.Formatter().get_field('0', (), {})", "import", 1],
  ["import logging.config", "import", 1],
  ["import logging\nlogging.config.dictConfig({})", "attribute", 2],
  ["import pandas as pd\npd.api.extensions.register_series_accessor('a')(1)", "attribute", 2],
  ["from numpy.polynomial import _polybase", "import", 1],
  ["import copy", "import", 1],
];

for (const [text, code, line] of attacks) {
  Deno.test(`may not run: ${text.replaceAll("\n", "; ")}`, () => {
    const found = refusePython(text);
    assert.ok(found);
    assert.deepEqual([found.code, found.span?.line], [`unsupported/${code}`, line], found.message);
    assert.ok(found.hint);
  });
}

Deno.test("what our parser cannot read is not run either", () => {
  const texts = ["try:\n    f()\nexcept Exception:\n    pass", "@f\ndef g(): pass", "(x := 1)"];
  for (const text of texts) {
    assert.match(refusePython(text)?.code ?? "", /^unsupported\/|^syntax\//);
  }
  assert.equal(refusePython("x = \0")?.code, "syntax/character");
  assert.equal(refusePython(`x = ${"1".repeat(70_000)}`)?.code, "syntax/limit");
  assert.equal(refusePython("# coding: utf-7\nx = 1")?.code, "unsupported/encoding");
});

Deno.test("handlers of try are looked at, and hold nothing but the reading of data", () => {
  const handled = (clause: string, body: string) =>
    refusePython(
      `import pandas as pd\nimport pymc as pm\ntry:\n    d = pd.read_csv("a")\n${clause}\n    ${body}`,
    )?.code;
  assert.equal(handled("except FileNotFoundError:", 'd = pd.read_csv("b")'), undefined);
  for (
    const [clause, body] of [
      ["except (lambda: f)():", "pass"],
      ["except FileNotFoundError as pm:", "pass"],
      ["except f.Error:", "pass"],
      ["except:", "import os"],
      ["except:", 'd = pd.read_csv(__import__("os"))'],
      ["except:", "d = pd.read_csv((i for i in []).gi_frame)"],
      ["except:", "pm = pd.read_csv('b')"],
    ]
  ) {
    assert.match(handled(clause, body) ?? "", /^unsupported|^lh/, `${clause} ${body}`);
  }
});

Deno.test("packages that the user names may be imported, with what is in them, and no others", () => {
  const text = "import patsy\nfrom patsy.splines import bs\nx = patsy.highlevel.dmatrix('a', {})";
  assert.equal(refusePython(text)?.code, "unsupported/import");
  assert.equal(refusePython(text, "program.py", ["patsy"]), undefined);
  const more = refusePython("import patsy_more", "program.py", ["patsy"]);
  assert.match(more?.hint ?? "", /arviz, patsy$/);
  const inside = ["from patsy import _private", "import patsy\npatsy.os.system('ls')"];
  for (const one of inside) assert(refusePython(one, "program.py", ["patsy"]), one);
});
