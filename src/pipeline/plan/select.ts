/** Stages that a user asks for by name: those of a pipeline that run, are only found, or run again. */
import { type Diagnostic, InputError, inputError } from "../../base/diagnostic.ts";
import { nearest } from "../../base/nearest.ts";
import type { ResolvedStage } from "../read/resolved.ts";
import { nameInFile } from "./instances.ts";
import type { PlannedStage } from "./observer.ts";
import { dependencies } from "./plan.ts";

/** Names of stages, as `train` or `train[2]`; each list may be left out. */
export interface Selection {
  /** Only these stages run; stages that they need must be in the cache. */
  readonly only?: readonly string[];
  /** These stages run, and all that depend on them. */
  readonly from?: readonly string[];
  /** These stages run, and all that they need. */
  readonly to?: readonly string[];
  /** Stages that are computed again, whatever the cache has; `all` for every stage that runs. */
  readonly force?: readonly string[];
}

/** A pipeline's stages as far as a selection goes. */
interface SelectedStages {
  /** Stages that run, and those that they need, in the order of the pipeline. */
  readonly kept: readonly ResolvedStage[];
  /** Names of stages that may run. */
  readonly wanted: ReadonlySet<string>;
  /** Names of stages that the cache does not answer. */
  readonly forced: ReadonlySet<string>;
}

/**
 * The stages that a selection means.
 *
 * @param stages in topological order.
 * @throws InputError `select/unknown-stage` with every name that no stage has, `select/nothing`.
 */
export function selectStages(
  stages: readonly ResolvedStage[],
  { only, from, to, force = [] }: Selection = {},
): SelectedStages {
  const meant = reader(stages);
  const needs = new Map(stages.map((stage) => [stage.name, dependencies(stage)]));
  let wanted = new Set(stages.map(({ name }) => name));
  if (only) wanted = wanted.intersection(meant("--only", only));
  if (from) wanted = wanted.intersection(downstream(meant("--from", from), needs));
  if (to) wanted = wanted.intersection(upstream(meant("--to", to), needs));
  const everything = force.includes("all");
  const forced = everything ? wanted : meant("--force", force).intersection(wanted);
  meant.report();
  if (wanted.size === 0) {
    throw inputError("select/nothing", "Cannot select stages: the flags together leave none");
  }
  const kept = upstream(wanted, needs);
  return { kept: stages.filter(({ name }) => kept.has(name)), wanted, forced };
}

/**
 * Refuses a selection that needs missing results.
 *
 * @throws InputError `select/not-cached` with every stage that would have to run first.
 */
export function requireFound(
  planned: readonly PlannedStage[],
  wanted: ReadonlySet<string>,
): void {
  const open = planned.filter(({ stage, state }) => state !== "cached" && !wanted.has(stage));
  if (open.length === 0) return;
  throw new InputError(open.map(({ stage, reason }): Diagnostic => ({
    code: "select/not-cached",
    severity: "error",
    message: `Cannot leave out stage "${stage}": its result is not in the cache (${reason})`,
    hint: `select it too, or run the pipeline --to ${stage} first`,
  })));
}

/** A function that finds the stages of names; `report` throws if any had none. */
function reader(stages: readonly ResolvedStage[]) {
  const findings: Diagnostic[] = [];
  const known = [...new Set(stages.flatMap((one) => [one.name, nameInFile(one)]))];
  const inner = new Map(
    stages.flatMap((one) => one.loop?.stages.map(({ name }) => [name, one.name]) ?? []),
  );
  const read = (flag: string, names: readonly string[]): Set<string> => {
    const found = names.flatMap((name) => {
      const meant = stages.filter((one) => one.name === name || nameInFile(one) === name);
      if (meant.length === 0) findings.push(unknownStage(flag, name, known, inner.get(name)));
      return meant.map((one) => one.name);
    });
    return new Set(found);
  };
  const report = () => {
    if (findings.length > 0) throw new InputError(findings);
  };
  return Object.assign(read, { report });
}

function unknownStage(
  flag: string,
  name: string,
  known: readonly string[],
  loop: string | undefined,
): Diagnostic {
  const near = nearest(name, known);
  const guess = near === undefined ? "" : `did you mean "${near}"? `;
  return {
    code: "select/unknown-stage",
    severity: "error",
    message: `Cannot use ${flag} ${name}: the pipeline has no stage of this name`,
    hint: loop === undefined
      ? `${guess}Stages: ${known.slice(0, 12).join(", ")}`
      : `it runs inside the loop "${loop}": name that`,
  };
}

type Needs = ReadonlyMap<string, readonly string[]>;

function upstream(of: ReadonlySet<string>, needs: Needs): Set<string> {
  const found = new Set<string>();
  const add = (name: string): void => {
    if (found.has(name)) return;
    found.add(name);
    needs.get(name)?.forEach(add);
  };
  of.forEach(add);
  return found;
}

function downstream(of: ReadonlySet<string>, needs: Needs): Set<string> {
  const found = new Set(of);
  for (const [name, all] of needs) if (all.some((one) => found.has(one))) found.add(name);
  return found;
}
