/** Without a choice of the unit left out at once: the likeliest models by rows and by groups. */
import { modelFormula } from "../../src/answers/mod.ts";
import type { GrammarMeaning } from "../../src/gfn/grammar/mod.ts";
import { groupColumn } from "../../src/base/dataset.ts";
import type { Execution, Score } from "../../src/engine/score/execution/mod.ts";
import type { StageContext } from "../../src/pipeline/contract/mod.ts";
import { executePrograms } from "../common/execute_programs.ts";
import type { ProgramTarget } from "../ports/values.ts";
import type { ScoredProgram } from "./effects.ts";

/** Models that are scored by both units: each leaves every group out, by a refit where need be. */
const mostModels = 2;

/**
 * Scores the likeliest models with whole groups left out, too, and writes an event of kind `unit`
 * and a warning with both figures and the decision that they ask for. Nothing, where the data have
 * no group or the target sets its unit.
 */
export async function describeUnits(
  context: StageContext,
  target: ProgramTarget,
  meaning: Pick<GrammarMeaning, "formula" | "questions" | "of">,
  scored: readonly ScoredProgram[],
): Promise<void> {
  const group = groupColumn(target.dataset);
  const { unit, time } = target.schedule;
  if (!group || unit !== undefined || time !== undefined || scored.length === 0) return;
  const chosen = [...scored]
    .sort((a, b) => b.logReward - a.logReward || a.index - b.index).slice(0, mostModels);
  const both = {
    row: await scoredBy(context, target, chosen, "row"),
    group: await scoredBy(context, target, chosen, "group"),
  };
  const message = `${figures(nameOf(meaning, chosen[0]), both)}${orders(both, group.name)}: ${
    decision(group.name)
  }`;
  const models = chosen.map(({ index }, i) => ({
    idx: index,
    row: figureOf(both.row[i]),
    group: figureOf(both.group[i]),
  }));
  context.rows("event", [{
    level: "warning",
    kind: "unit",
    message,
    detail: { column: group.name, models },
  }]);
  context.log(message, "warning");
}

type Unit = "row" | "group";
type Both = Readonly<Record<Unit, readonly Execution[]>>;

async function scoredBy(
  context: StageContext,
  target: ProgramTarget,
  chosen: readonly ScoredProgram[],
  unit: Unit,
): Promise<Execution[]> {
  const { schedule } = target;
  const asked = unit === "row" ? schedule : { ...schedule, unit };
  const programs = chosen.map(({ object }) => object.text);
  return await executePrograms(context, { ...target, schedule: asked }, {
    programs,
    purpose: "check",
  });
}

function figureOf({ score, diagnostics }: Execution): Readonly<Record<string, unknown>> {
  if (!score) return { failed: diagnostics[0]?.message ?? "it has no score" };
  return { elpd: score.elpdLoo, se: score.se, mcse: score.mcse };
}

/** A model as its formula, of a space; else what it is made of. */
function nameOf(
  { formula, questions, of }: Pick<GrammarMeaning, "formula" | "questions" | "of">,
  { object: { features } }: ScoredProgram,
): string {
  if (formula === undefined) return features.join(", ");
  return modelFormula(formula, questions.map(({ question }) => question), of(features).answers);
}

function figures(name: string, { row, group }: Both): string {
  return `the likeliest model (${name}) has ELPD ${
    shown(row[0].score)
  } with single rows left out ` +
    `and ${shown(group[0].score)} with whole groups left out`;
}

function shown(score: Score | undefined): string {
  return score ? `${score.elpdLoo.toFixed(1)} ± ${score.se.toFixed(1)}` : "none";
}

/** Whether both units rank the models alike. */
function orders({ row, group }: Both, column: string): string {
  const scores = (executions: readonly Execution[]) =>
    executions.map(({ score }) => score?.elpdLoo ?? -Infinity);
  const order = (values: readonly number[]) =>
    values.map((_, i) => i).sort((a, b) => values[b] - values[a]).join();
  const same = order(scores(row)) === order(scores(group));
  const rank = row.length < 2
    ? " "
    : `; the first ${row.length} models rank ${same ? "alike" : "differently"} `;
  return `${rank}(groups by "${column}")`;
}

function decision(column: string): string {
  return `write unit = "row" in the target (--unit row) to predict new rows of the same groups, ` +
    `unit = "group" to predict rows of a new ${column}`;
}
