/** A family is known by its entry: files of the engine that switch on names are listed, and the list shrinks. */
import assert from "node:assert/strict";
import ts from "typescript";
import { familyNames } from "../../../src/engine/language/distributions/table.ts";

/** Files that name a family beside the normal distribution, and why they may. */
const exceptions: Readonly<Record<string, string>> = {
  "inference/cells/cell_mass.ts":
    "masses in closed form: of mixtures, bounds, two exponentials, a folded t",
  "inference/density/assemble.ts": "draws with a correlation are given a factor",
  "inference/density/non_centred.ts": "walks and normal vectors are moved off their centre",
  "inference/gaussian/affine.ts": "closed form: linear latents of normal priors",
  "inference/gaussian/choice.ts": "closed form: linear latents of normal priors",
  "inference/gaussian/field.ts": "closed form: a normal field",
  "inference/gaussian/field_choice.ts": "closed form: a normal field",
  "inference/gaussian/field_latents.ts": "closed form: a normal field",
  "inference/gaussian/latent_draws.ts": "closed form: linear latents of normal priors",
  "inference/gaussian/linear_latents.ts": "closed form: linear latents of normal priors",
  "inference/gaussian/marginal.ts": "closed form: linear latents of normal priors",
  "inference/gaussian/response_field.ts": "closed form: a normal field",
  "language/print/distributions.ts": "PyMC's rules of components, and of whole ends",
  "language/print/print_model.ts": "a packed factor is three values, windows have a function",
  "language/pymc/discrete_latents.ts": "closed form: sums over a Bernoulli or categorical latent",
  "language/pymc/distribution_structure.ts": "PyMC's rules of distributions with components",
  "language/pymc/gp/methods.ts": "a process at points is a normal vector",
  "language/pymc/likelihood.ts": "rows of normal vectors",
  "language/pymc/limit_columns.ts": "a censored response has columns of limits",
  "language/pymc/observed_series.ts": "series that are observed by their steps",
  "language/pymc/response_support.ts": "ends that PyMC takes from components, or begins at 1",
  "language/pymc/rows/blame.ts": "series hang together by rows",
  "language/pymc/rows/element_symbols.ts": "series hang together by rows",
  "language/pymc/shared_latents.ts": "closed form: sums over latents with few values",
  "language/pymc/structured_value.ts": "PyMC gives a packed factor as three values",
  "score/integrity/distribution_at.ts": "a censored response has atoms at its bounds",
};

/** Rooms in which a word such as "mixture" means the family. */
const rooms = [
  ...["cells", "density", "gaussian", "predict"].map((room) => `inference/${room}`),
  ...["graph_import", "print", "pymc"].map((room) => `language/${room}`),
  "score",
];

const families = new Set<string>(familyNames.filter((name) => name !== "normal"));

/** The families that a text names in strings and in keys of tables. */
function namedIn(text: string): string[] {
  const found = new Set<string>();
  const visit = (node: ts.Node) => {
    const own = ts.isStringLiteralLike(node) ? node.text : keyOf(node);
    if (own !== undefined && families.has(own)) found.add(own);
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile("file.ts", text, ts.ScriptTarget.Latest));
  return [...found];
}

/** The key of an entry of a table, a class excluded. */
function keyOf(node: ts.Node): string | undefined {
  return ts.isPropertyAssignment(node) && ts.isIdentifier(node.name) ? node.name.text : undefined;
}

/** Paths of sources below a folder, from the engine's. */
function* sources(folder: string): Generator<string> {
  for (const { name, isDirectory } of Deno.readDirSync(new URL(folder, engine))) {
    if (isDirectory) yield* sources(`${folder}/${name}`);
    else if (name.endsWith(".ts")) yield `${folder}/${name}`;
  }
}

const engine = new URL("../../../src/engine/", import.meta.url);

/** Words that are families elsewhere: a number of a density, a method of a builder. */
const otherMeanings: Readonly<Record<string, readonly string[]>> = {
  "inference/density/compile.ts": ["mixture"],
};

function naming(path: string, text: string): boolean {
  return namedIn(text).some((name) => !otherMeanings[path]?.includes(name));
}

Deno.test("no file names a family but closed forms and PyMC's rules, which are listed", () => {
  const found = rooms.flatMap((room) => [...sources(room)])
    .filter((path) => naming(path, Deno.readTextFileSync(new URL(path, engine))));
  assert.deepEqual(found.toSorted(), Object.keys(exceptions).toSorted());
});

Deno.test("a planted switch on a name is seen", () => {
  assert.deepEqual(namedIn(`switch (family) { case "von_mises": return 1; }`), ["von_mises"]);
  assert.deepEqual(namedIn(`const peak = { rice: 1, normal: 2 };`), ["rice"]);
  assert.deepEqual(namedIn(`const peak = families[family].peak;`), []);
});
