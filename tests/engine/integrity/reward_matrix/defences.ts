/** Each defence of the reward, left out: a copy of the engine in which some lines are changed. */
import { join } from "node:path";
import type { Pay } from "./pay.ts";

/** A line of the engine, and what leaves its defence out. */
interface Change {
  readonly file: string;
  /** Text in the source, which occurs once there. */
  readonly from: string;
  readonly to: string;
}

/** One defence. */
export interface Defence {
  /** As the table calls it. */
  readonly name: string;
  readonly changes: readonly Change[];
  /** Whether another engine may come out without it, by what the whole one paid; all others are not run again. */
  readonly touches: (pay: Pay) => boolean;
}

const gate: Change = {
  file: "src/engine/score/admission.ts",
  from: "  const { unresolved, goodK, mcse, elpdLoo } = estimate;",
  to: "  if (maxMcse > 0) return undefined;\n" +
    "  const { unresolved, goodK, mcse, elpdLoo } = estimate;",
};

const closedForm: Change = {
  file: "src/engine/inference/gaussian/choice.ts",
  from: "  const latents = linearLatents(program);",
  to: "  const latents = dataset ? undefined : linearLatents(program);",
};

const cells: Change = {
  file: "src/engine/score/recorded_reward.ts",
  from: "  if (resolution === undefined) return",
  to: "  if (mcse >= 0) return",
};

const rowRule: Change = {
  file: "src/engine/language/pymc/rows/row_order.ts",
  from: '  if (rule.rows === "judged" || ',
  to: "  if (rows >= 0 || ",
};

const constants: Change = {
  file: "src/engine/language/pymc/literals.ts",
  from: "  return response && findMemory(response, others, carried);",
  to: "  return response && others.length < 0 ? findMemory(response, others, carried) : undefined;",
};

/** A rule acts where it refuses, cells where there is a score, a closed form where it scores, the gate where it holds. */
const refusedBy = (code: string) => ({ refused }: Pay) => refused === code;
const byRows = refusedBy("lh/row-table");
const byConstants = refusedBy("lh/memorised-literals");
const scored = ({ reward }: Pay) => reward !== undefined;
const byClosedForm = ({ method }: Pay) => method?.startsWith("gaussian") ?? false;
const byGate = ({ refused }: Pay) => refused?.startsWith("loo/") ?? false;
const any = (...all: readonly Defence["touches"][]) => (pay: Pay) => all.some((one) => one(pay));

/** All of them; two together where each is enough. */
export const defences: readonly Defence[] = [
  { name: "row rule", changes: [rowRule], touches: byRows },
  { name: "search of constants", changes: [constants], touches: byConstants },
  {
    name: "both of these",
    changes: [rowRule, constants],
    touches: any(byRows, byConstants),
  },
  { name: "cells", changes: [cells], touches: scored },
  {
    name: "these three",
    changes: [rowRule, constants, cells],
    touches: any(byRows, byConstants, scored),
  },
  { name: "closed forms", changes: [closedForm], touches: byClosedForm },
  { name: "gate", changes: [gate], touches: byGate },
  {
    name: "closed forms and gate",
    changes: [closedForm, gate],
    touches: any(byClosedForm, byGate),
  },
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

/** Whether every line that a defence would change stands in the engine of a folder, once. */
export async function isThere(root: string, { changes }: Defence): Promise<boolean> {
  const texts = await Promise.all(changes.map(({ file }) => Deno.readTextFile(join(root, file))));
  return changes.every(({ from }, k) => texts[k].split(from).length === 2);
}

async function change(path: string, from: string, to: string): Promise<void> {
  const text = await Deno.readTextFile(path);
  if (text.split(from).length !== 2) throw new Error(`${path} has no single place "${from}"`);
  await Deno.writeTextFile(path, text.replace(from, () => to));
}
