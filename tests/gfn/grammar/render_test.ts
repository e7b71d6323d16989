/** Tests of the text of a derivation. */
import assert from "node:assert/strict";
import { grammarEnvironment } from "../../../src/gfn/grammar/environment.ts";
import { actionsOfDerivation } from "../../../src/gfn/grammar/derivation.ts";
import { documentedGrammar, grammarOf } from "./small_grammar.ts";

const small = grammarEnvironment(grammarOf(documentedGrammar()));

function textOf(names: string[], environment = small): string {
  const result = actionsOfDerivation(environment, names);
  if (!result.ok) throw new Error(result.diagnostic.message);
  let state = environment.initialState();
  for (const action of result.actions.slice(0, -1)) state = environment.step(state, action);
  return environment.terminal(state).text;
}

Deno.test("a clause that is not taken leaves its default", () => {
  assert.equal(
    textOf(["line", "flat", "normal"]),
    `import pymc as pm

with pm.Model() as model:
    age = data["age"]
    start = pm.Normal("start", mu=1.5, sigma=1)
    slope = pm.HalfNormal("slope", sigma=0.1)
    mu = start + slope * age
    sigma = pm.HalfNormal("sigma", sigma=1)
    length = pm.Normal("length", mu=mu, sigma=sigma, observed=data["length"])
`,
  );
});

Deno.test("a clause that is taken replaces it, wherever it stands", () => {
  assert.equal(
    textOf(["saturation", "student_t", "estimated"]),
    `import pymc as pm

with pm.Model() as model:
    age = data["age"]
    start = pm.Normal("start", mu=1.5, sigma=1)
    gain = pm.HalfNormal("gain", sigma=2)
    k = pm.LogNormal("k", mu=-2, sigma=1)
    mu = start + gain * (1 - pm.math.exp(-k * age))
    sigma = pm.HalfNormal("sigma", sigma=1)
    length = pm.StudentT("length", nu=pm.Gamma("nu", alpha=2, beta=0.1), mu=mu, sigma=sigma, observed=data["length"])
`,
  );
});

Deno.test("doubled braces, empty statements, blank lines and Windows line ends are canonical", () => {
  const text = `format = 1
name = "braces"
template = "a = {{'x': {x}}}\\r\\n\\r\\nif a:\\r\\n    {more}\\r\\n    b = 1\\r\\n"
[holes.x]
type = "number"
productions = [{ name = "one", weight = 1, text = "1" }]
[holes.more]
type = "statements"
productions = [
  { name = "none", weight = 1, text = "" },
  { name = "two", weight = 1, text = "c = 1\\n\\nif c:\\n    d = 2\\n" },
]
`;
  const environment = grammarEnvironment(grammarOf(text));
  assert.equal(textOf(["one", "none"], environment), "a = {'x': 1}\n\nif a:\n    b = 1\n");
  assert.equal(
    textOf(["one", "two"], environment),
    "a = {'x': 1}\n\nif a:\n    c = 1\n\n    if c:\n        d = 2\n    b = 1\n",
  );
});

Deno.test("the documented grammar has the programs that the page counts", () => {
  assert.equal([...small.enumerate()].length, 11);
});
