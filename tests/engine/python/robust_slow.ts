/** The checker gives a program or findings for any text; it never throws. */
import assert from "node:assert/strict";
import { checkProgram } from "../../../src/engine/language/pymc/check.ts";
import { data, model, refuse } from "./programs.ts";
import { readCases } from "./catalogue.ts";
import { datasets } from "./corpus_data.ts";

const folder = new URL("./corpus/", import.meta.url);
const corpus = [...Deno.readDirSync(folder)].map(({ name }) => name).sort().flatMap((name) =>
  readCases(Deno.readTextFileSync(new URL(name, folder))).map(({ program }) => ({
    pieces: program.match(/\p{L}[\p{L}\p{N}_]*|[0-9.]+|[^\p{L}0-9]/gu) ?? [],
    dataset: datasets[name.replace(".txt", "")],
  }))
);
const words = [
  "T",
  "shape",
  "sum",
  "axis",
  "dist",
  "Mixture",
  "MvNormal",
  "None",
  "values",
  "dims",
];
const numbers = ["0", "-1", "1.5", "1e9", "100"];

/** Random numbers below n, the same in every run. */
function draws(seed: number): (n: number) => number {
  let state = seed;
  return (n) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor(state / 2 ** 32 * n);
  };
}

/** Exchanges words for words and numbers for numbers, so that most mutants can be parsed. */
function mutate(pieces: readonly string[], next: (n: number) => number): string {
  const mutant = [...pieces];
  for (let edits = 1 + next(4); edits > 0; edits--) {
    const at = next(mutant.length);
    const kind = /^\p{L}/u.test(mutant[at])
      ? /^\p{L}/u
      : /^[0-9]/.test(mutant[at])
      ? /^[0-9]/
      : null;
    if (!kind) continue;
    const own = pieces.filter((piece) => kind.test(piece));
    const others = kind.source === "^[0-9]" ? numbers : words;
    mutant[at] = next(10) < 7 ? own[next(own.length)] : others[next(others.length)];
  }
  return mutant.join("");
}

Deno.test("1,000 mutants of the corpus are programs, or have findings with a place", () => {
  const next = draws(20);
  let programs = 0;
  for (let i = 0; i < 1000; i++) {
    const { pieces, dataset } = corpus[next(corpus.length)];
    const text = mutate(pieces, next);
    const result = checkProgram(text, dataset);
    if (result.ok) programs++;
    else {
      const errors = result.diagnostics.filter(({ severity }) => severity === "error");
      assert.ok(errors.length > 0 && errors.every(({ span }) => span), text);
    }
  }
  assert.ok(programs > 100 && programs < 900, `${programs}`);
});

Deno.test("programs that reach for Python itself are refused", () => {
  const reaches = [
    "().__class__.__base__.__subclasses__()",
    "(x for x in [1]).gi_frame.f_builtins",
    '"{0.__globals__}".format(np)',
    'f"{np.__dict__}"',
    "np.ctypeslib.os.system('id')",
    "__import__('os').system('id')",
    "ｅｖａｌ('1')",
    "globals()['__builtins__']",
    "vars(np)",
    "type('X', (), {})",
    "getattr(np, 'os')",
    "open('/etc/passwd').read()",
    "pm.sampling.os.environ",
    "np.load('x.npy', allow_pickle=True)",
    "np.fromfile('x')",
    "(lambda: eval('1'))()",
  ];
  for (const reach of reaches) {
    const codes = refuse(model(`a = pm.Normal("a", 0, 1)`, `b = (${reach}) + 0`, "x = a + b"));
    assert.ok(codes.length > 0, reach);
  }
});

Deno.test("imports of what could reach outside are refused", () => {
  const lines = [
    "import os",
    "from os import *",
    "from posix import system",
    "from numpy.ctypeslib import os",
    "import a.b as c",
    "import sys, subprocess",
    "from pymc import *",
    "import numpy.f2py",
  ];
  const program = model('pm.Normal("y", 0, 1, observed=data["length"])');
  for (const line of lines) {
    const codes = new Set(refuse(`${line}\n${program}`));
    assert.deepEqual([...codes], ["unsupported/import"], line);
  }
});

Deno.test("a million rows are checked, elementwise and by reduction", () => {
  const rows = 1_000_000;
  const age = Float64Array.from({ length: rows }, (_, i) => i % 97);
  const big = {
    ...data,
    rows,
    columns: data.columns.filter(({ name }) => name !== "dose").map((column) => ({
      ...column,
      values: column.name === "age" ? age : new Float64Array(rows).fill(0.5),
    })),
  };
  const text = model(
    'x = (data["age"] - np.mean(data["age"])) / np.std(data["age"])',
    'b = pm.Normal("b", 0, 1)',
    'pm.Normal("y", b * x, 1, observed=data["length"])',
  );
  assert.ok(checkProgram(text, big).ok);
});
