/** The arguments of every family against those of PyMC's distributions: names, order, defaults. */
import assert from "node:assert/strict";
import {
  distributionNames,
  families,
  familyOf,
} from "../../../src/engine/language/distributions/table.ts";
import { readGolden } from "../../numerics/math/ulp.ts";

interface PymcSignature {
  readonly positional: string[];
  readonly keyword_only: string[];
  readonly defaults: Readonly<Record<string, number>>;
}
const { distributions } = readGolden<{
  readonly distributions: Readonly<Record<string, PymcSignature>>;
}>("dist_signatures.json");

/** Accepted by PyMC among its further keyword arguments. */
const besides: Readonly<Record<string, readonly string[]>> = {
  MvStudentT: ["cov"],
  GaussianRandomWalk: ["steps"],
};

for (const [name, pymc] of Object.entries(distributions)) {
  Deno.test(`pm.${name} takes PyMC's arguments in PyMC's order`, () => {
    const { signature } = families[familyOf(name)!];
    const since = new Set(signature.keywordSince);
    const positional = signature.positional.filter((one) => !since.has(one));
    assert.deepEqual(positional, pymc.positional);
    const keywords = [...since, ...(signature.keywordOnly ?? [])];
    const wanted = [...pymc.keyword_only, ...(besides[name] ?? [])];
    assert.deepEqual(keywords.toSorted(), wanted.toSorted());
    // Structural arguments (steps, n_zerosum_axes …) have their defaults where distributions are checked.
    for (const [argument, value] of Object.entries(pymc.defaults)) {
      if (signature.domains[argument] === "size") continue;
      assert.equal(signature.defaults[argument], value, argument);
    }
  });
}

Deno.test("every name of a family is one of PyMC's", () => {
  const old = ["Lognormal"];
  assert.deepEqual(
    distributionNames.filter((name) => !(name in distributions)).toSorted(),
    old,
  );
});

for (const [name, { signature, parameters, parameterRanks }] of Object.entries(families)) {
  Deno.test(`the forms of ${name} read arguments that it has`, () => {
    const all = [...signature.positional, ...(signature.keywordOnly ?? [])];
    for (const { names } of signature.forms) {
      for (const one of names) assert.ok(all.includes(one), `${one} of ${all}`);
    }
    for (const one of all) assert.ok(one in signature.domains, `${one} has no domain`);
    assert.equal(parameters.length, parameterRanks.length);
  });
}
