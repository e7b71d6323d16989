/** Built-in kinds need a file and a line each: everything else follows from the registries. */
import assert from "node:assert/strict";
import { z } from "zod";
import { builtInJudges } from "../../src/engine/score/judges/built_in_judges.ts";
import {
  builtInEnvironments,
  environmentNamed,
} from "../../src/gfn/environments/built_in_environments.ts";
import { rewardedObjectives } from "../../src/gfn/objectives/built_in_objectives.ts";
import { builtInPolicyKinds } from "../../src/gfn/policies/config.ts";
import { learnParams } from "../../stages/learn/params.ts";
import { builtInKinds } from "../../stages/mod.ts";
import { policyConfig } from "../../stages/policy/config.ts";

/** Where else a name may stand: tables, defaults of a stage, and a hint. */
const mayName = [
  "src/cli/commands/compare.ts",
  "stages/evaluate_kl/mod.ts",
  "src/gfn/objectives/flows.ts",
];

/** The code below a folder by file, without its comments. */
function* sources(folder: string): Generator<readonly [string, string]> {
  for (const { name, isDirectory } of Deno.readDirSync(folder)) {
    const path = `${folder}/${name}`;
    if (isDirectory) yield* sources(path);
    else if (name.endsWith(".ts")) {
      const text = Deno.readTextFileSync(path);
      yield [path, text.replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, "")];
    }
  }
}

/** Files that quote a name in their code; the engine's names of other things are its own. */
function quoting(name: string): string[] {
  const all = [...sources("src"), ...sources("stages")];
  return all.filter(([path, text]) =>
    text.includes(`"${name}"`) && !path.startsWith("src/engine/language/pymc") &&
    !path.startsWith("src/engine/language/syntax") &&
    !path.startsWith("src/engine/language/interpreter") &&
    !path.startsWith("src/gfn/grammar") && path !== "src/executor/pymc/allowed_python.ts" &&
    !mayName.includes(path)
  ).map(([path]) => path);
}

const named: readonly (readonly [string, string])[] = [
  ...rewardedObjectives.map(({ name }) => [name, "src/gfn/objectives/"] as const),
  ...[...builtInEnvironments.keys()].map((name) => [name, "src/gfn/environments/"] as const),
  ...[...builtInJudges.keys()].map((name) => [name, "src/engine/score/judges/"] as const),
];

for (const [name, folder] of named) {
  Deno.test(`${name} is named in its own file alone`, () => {
    const files = quoting(name).filter((path) => !path.startsWith("src/pipeline/contract/"));
    assert.equal(files.length, 1, files.join(", "));
    assert.ok(files[0].startsWith(folder), files[0]);
  });
}

/** The names that a schema offers somewhere. */
const offered = (schema: z.ZodType) => JSON.stringify(z.toJSONSchema(schema, { io: "input" }));

Deno.test("the schemas of stages offer what the registries hold", () => {
  const learn = offered(learnParams);
  for (const { name, parameters } of rewardedObjectives) {
    for (const key of [name, ...Object.keys(parameters!.shape)]) {
      assert.ok(learn.includes(`"${key}"`));
    }
  }
  const target = offered(builtInKinds.get("target")!.params as z.ZodType);
  for (const name of builtInJudges.keys()) assert.ok(target.includes(`"${name}"`), name);
  for (const kind of builtInPolicyKinds.keys()) {
    const served = { url: "http://127.0.0.1:1", base_model: "tiny" };
    const named = {
      kind,
      ...(kind === "language_model" || kind === "tinker" ? { model: "tiny" } : {}),
      ...(kind === "tinker" ? served : {}),
    };
    assert.equal((policyConfig.parse(named) as { readonly kind: string }).kind, kind);
  }
});

Deno.test("every built-in environment has a stage kind, and is made by its name alone", () => {
  for (const [kind, { description }] of builtInEnvironments) {
    assert.equal(builtInKinds.get(kind)!.description, description);
    assert.equal(environmentNamed(kind).kind, kind);
  }
});

Deno.test("a file that may name what is built in is there, and names it", () => {
  const all = new Map([...sources("src"), ...sources("stages")]);
  for (const path of mayName) {
    assert.ok(named.some(([name]) => all.get(path)?.includes(`"${name}"`)), path);
  }
});
