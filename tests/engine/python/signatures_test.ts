/** Arguments of distributions mean what they mean to PyMC. */
import assert from "node:assert/strict";
import {
  families,
  type FamilyName,
  familyOf,
} from "../../../src/engine/language/distributions/table.ts";
import { accept, model, priorOf, refuse } from "./programs.ts";

/** Made by tools/golden/pymc_signatures.py; the file names versions and command. */
interface Golden {
  readonly version: string;
  readonly accepted: readonly {
    readonly call: string;
    readonly values: readonly (number | "inf" | "-inf")[];
    readonly transform: string;
  }[];
  readonly refused: readonly { readonly call: string; readonly error: string }[];
}

const golden: Golden = JSON.parse(
  Deno.readTextFileSync(new URL("../../golden/pymc_signatures.json", import.meta.url)),
);
/** PyTensor holds small integers as int8 and computes their reciprocals in 32 bits. */
const tolerance = 1e-6;

function familyOfCall(call: string): FamilyName {
  const family = familyOf(call.slice("pm.".length, call.indexOf("(")));
  assert.ok(family, call);
  return family;
}

function assertClose(found: readonly number[], wanted: readonly (number | string)[], call: string) {
  assert.equal(found.length, wanted.length, call);
  found.forEach((value, i) => {
    const target = Number(`${wanted[i]}`.replace("inf", "Infinity"));
    const near = Math.abs(value - target) <= tolerance * Math.abs(target);
    assert.ok(value === target || near, `${call}: ${value} is not ${target}`);
  });
}

Deno.test("parametrisations come to the canonical parameters that PyMC computes", () => {
  assert.match(golden.version, /^PyMC 5\.28\./);
  for (const { call, values } of golden.accepted) {
    const prior = priorOf(call);
    assert.equal(prior.family, familyOfCall(call), call);
    assertClose(prior.values, values, call);
  }
});

Deno.test("transforms are PyMC's defaults; an interval without ends is the identity", () => {
  for (const { call, values, transform } of golden.accepted) {
    const endless = values.includes("-inf") && values.includes("inf");
    assert.equal(priorOf(call).transform, endless ? "identity" : transform, call);
  }
});

Deno.test("calls that PyMC refuses are refused", () => {
  for (const { call, error } of golden.refused) {
    const text = model(`a = ${call}`, 'pm.Normal("y", 0, 1, observed=data["length"])');
    assert.match(refuse(text)[0], /^names\//, `${call}: ${error}`);
  }
});

Deno.test("PyMC's answers cover every form of the families that were asked for", () => {
  for (const [family, { forms }] of entries()) {
    const calls = golden.accepted.filter(({ call }) => familyOfCall(call) === family);
    if (calls.length === 0) continue;
    assert.ok(calls.length >= forms.length, family);
  }
});

Deno.test("names of a signature all have a domain, and defaults belong to a name", () => {
  for (const [family, { forms, domains, defaults, positional, keywordOnly }] of entries()) {
    const known = [...positional, ...keywordOnly ?? []];
    for (const name of forms.flatMap(({ names }) => names)) {
      assert.ok(known.includes(name) && domains[name], `${family}.${name}`);
    }
    for (const name of Object.keys(defaults)) assert.ok(known.includes(name), `${family}.${name}`);
  }
});

function entries() {
  return Object.entries(families).map(([family, { signature }]) => [family, signature] as const);
}

Deno.test("sigma and lam of StudentT by position are read as before PyMC 5.28, with a warning", () => {
  const text = model('pm.StudentT("y", 4, 0, 1, observed=data["length"])');
  const { diagnostics, hash } = accept(text);
  assert.deepEqual(diagnostics.map(({ code }) => code), ["names/keyword-only"]);
  const keyword = model('pm.StudentT("y", 4, 0, sigma=1, observed=data["length"])');
  assert.equal(accept(keyword).hash, hash);
});

Deno.test("bounds that are parameters give an interval that points at them", () => {
  const program = accept(model(
    'low = pm.Normal("low", 0, 1)',
    'a = pm.Uniform("a", low, 9)',
    'pm.Normal("y", a, 1, observed=data["length"])',
  ));
  const parameter = program.parameters.find(({ name }) => name === "a");
  assert.equal(parameter?.transform.kind, "interval");
  assert.deepEqual(parameter?.prior.args.map((id) => program.nodes[id].kind), [
    "parameter",
    "constant",
  ]);
});

Deno.test("every family can be the likelihood of a real response", () => {
  for (const { call } of golden.accepted) {
    const named = call.replace('"a"', '"y"').replace(", observed=None", "")
      .replace(/\)$/, ', observed=data["length"])');
    assert.equal(accept(model(named)).likelihood.distribution.family, familyOfCall(call), named);
  }
});

Deno.test("a constant outside of its parameter's domain is refused where it stands", () => {
  for (const call of ['pm.StudentT("a", 0)', 'pm.Beta("a", mu=0, nu=1)', 'pm.Gamma("a", -1, 1)']) {
    const text = model(`a = ${call}`, 'pm.Normal("y", 0, 1, observed=data["length"])');
    assert.deepEqual(refuse(text), ["support/parameter"], call);
  }
});
