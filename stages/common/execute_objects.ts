/** Has objects executed: of the spellings of one model one, for all of them. */
import { sha256 } from "../../src/base/digest.ts";
import type { Execution } from "../../src/engine/score/execution/mod.ts";
import type { TerminalObject } from "../../src/gfn/environments/mod.ts";
import type { StageContext } from "../../src/pipeline/contract/mod.ts";
import { type AskedPrograms, executePrograms } from "./execute_programs.ts";
import { spellingsOf } from "./spellings.ts";
import { programRow } from "./trajectory_rows.ts";
import type { ProgramTarget } from "../ports/values.ts";

type Objects = readonly TerminalObject[];

/** Member that represents a model: the first of its spellings that has a score, or else the last. */
export interface Standing {
  readonly object: TerminalObject;
  readonly execution: Execution;
}

/** The execution of each object; see {@linkcode standingExecutions}. */
export async function executeObjects(
  context: StageContext,
  target: ProgramTarget,
  objects: Objects,
  purpose?: AskedPrograms["purpose"],
): Promise<Execution[]> {
  const standing = await standingExecutions(context, target, objects, purpose);
  return standing.map(({ execution }) => execution);
}

/**
 * Execution of each object. Where a class makes several derivations one model, the first of them in
 * the order of the grammar is executed for all, and the next only if it has no score: the reward is
 * that of the model, whichever spelling a policy writes; priors are those of the spellings. The row
 * of a spelling that was not executed names the executed one in `scored_as`.
 */
export async function standingExecutions(
  context: StageContext,
  target: ProgramTarget,
  objects: Objects,
  purpose?: AskedPrograms["purpose"],
): Promise<Standing[]> {
  const spellings = spellingsOf(target.environment) ?? new Map<string, Objects>();
  const alone = new Map(objects.map((object) => [object.text, [object] as Objects]));
  const modelOf = ({ text }: TerminalObject) => spellings.get(text) ?? alone.get(text)!;
  const models = [...new Set(objects.map(modelOf))];
  const ask = (some: Objects) => execute(context, target, some, purpose);
  const standing = await standingFor(models, ask);
  const found = objects.map((object) => standing.get(modelOf(object))!);
  const rows = objects.flatMap((object, i) => {
    return object.text === found[i].object.text ? [] : [spelledRow(object, found[i])];
  });
  if (rows.length > 0) context.rows("program", rows);
  return found;
}

async function execute(
  context: StageContext,
  target: ProgramTarget,
  objects: Objects,
  purpose?: AskedPrograms["purpose"],
): Promise<Execution[]> {
  return await executePrograms(context, target, {
    programs: objects.map(({ text }) => text),
    logPriors: objects.map(({ logPrior }) => logPrior),
    ...(purpose && { purpose }),
  });
}

async function standingFor(
  models: readonly Objects[],
  ask: (objects: Objects) => Promise<readonly Execution[]>,
): Promise<ReadonlyMap<Objects, Standing>> {
  const found = new Map<Objects, Standing>();
  let open = models;
  for (let member = 0; open.length > 0; member++) {
    const objects = open.map((model) => model[member]);
    const executions = await ask(objects);
    open.forEach((model, i) => found.set(model, { object: objects[i], execution: executions[i] }));
    open = open.filter((model, i) => !executions[i].score && member + 1 < model.length);
  }
  return found;
}

function spelledRow(object: TerminalObject, { object: { text }, execution }: Standing) {
  return {
    ...programRow(object),
    canonical_hash: execution.programHash,
    scored_as: sha256(text),
  };
}
