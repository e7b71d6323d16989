/** Each defence of the reward, left out: a copy of the engine in which some lines are changed. */
import { join } from "node:path";

/** A line of the engine, and what leaves its defence out. */
interface Change {
  readonly file: string;
  /** What stands there, once. */
  readonly from: string;
  readonly to: string;
}

/** One defence. */
export interface Defence {
  /** As the table calls it. */
  readonly name: string;
  readonly changes: readonly Change[];
}

const gate: Change = {
  file: "src/engine/score/admission.ts",
  from: "  const { unresolved, goodK, mcse, elpdLoo } = estimate;",
  to: "  if (maxMcse > 0) return undefined;\n" +
    "  const { unresolved, goodK, mcse, elpdLoo } = estimate;",
};

const closedForm: Change = {
  file: "src/engine/gaussian/choice.ts",
  from: "  const latents = linearLatents(program);",
  to: "  const latents = dataset ? undefined : linearLatents(program);",
};

const cells: Change = {
  file: "src/engine/score/recorded_reward.ts",
  from: "  if (!gains || resolution === undefined) return",
  to: "  if (mcse >= 0) return",
};

const rowRule: Change = {
  file: "src/engine/pymc/rows/row_order.ts",
  from: '  if (rule.rows === "judged" || ',
  to: "  if (rows >= 0 || ",
};

const constants: Change = {
  file: "src/engine/pymc/literals.ts",
  from: "  return response && findMemory(response, others, carried);",
  to: "  return response && others.length < 0 ? findMemory(response, others, carried) : undefined;",
};

/** All of them; two together where each is enough. */
export const defences: readonly Defence[] = [
  { name: "row rule", changes: [rowRule] },
  { name: "search of constants", changes: [constants] },
  { name: "both of these", changes: [rowRule, constants] },
  { name: "cells", changes: [cells] },
  { name: "these three", changes: [rowRule, constants, cells] },
  { name: "closed forms", changes: [closedForm] },
  { name: "closed forms and gate", changes: [closedForm, gate] },
];

/** A copy of what scores programs, with one defence left out; the folder is the caller's to remove. */
export async function withoutDefence(root: string, { changes }: Defence): Promise<string> {
  const folder = await Deno.makeTempDir({ prefix: "reward-matrix-" });
  const args = ["-r", "src", "tests", "data", "deno.json", "deno.lock", folder];
  const { success } = await new Deno.Command("cp", { args, cwd: root }).output();
  if (!success) throw new Error(`cannot copy the engine to ${folder}`);
  await Deno.symlink(join(root, "node_modules"), join(folder, "node_modules"));
  for (const { file, from, to } of changes) await change(join(folder, file), from, to);
  return folder;
}

async function change(path: string, from: string, to: string): Promise<void> {
  const text = await Deno.readTextFile(path);
  if (text.split(from).length !== 2) throw new Error(`${path} has no single place "${from}"`);
  await Deno.writeTextFile(path, text.replace(from, () => to));
}
