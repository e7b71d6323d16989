/** `sluice compare`: the best programs of a run beside each other, with the weights of `az.compare`. */
import { type Command, Option } from "@commander-js/extra-typings";
import { inputError } from "../../base/diagnostic.ts";
import type { ComparedProgram, WeightMethod } from "../../answers/compared.ts";
import { type Candidate, readCandidates } from "../candidates.ts";
import { number, percent, tableWithTexts } from "../../report/format.ts";
import { wholeNumber } from "../number_flags.ts";
import { projectHere } from "../project_here.ts";
import type { Session } from "../session.ts";
import type { Terminal } from "../../report/terminal.ts";

const example = `
Programs are ranked by ELPD-LOO. elpd_diff is the loss against the best one,
dse the standard error of that difference over observations. Weights by
stacking make the best mixture; by pseudo_bma they are exp(ELPD), normalised;
by bb_pseudo_bma that, averaged over Bayesian bootstraps of the observations.

Example:
  sluice compare last --top 10 --method stacking --references`;

/** One row of the result. */
interface Row extends ComparedProgram {
  readonly candidate: Candidate;
}

export function addCommand(root: Command, session: Session): void {
  root.command("compare")
    .description("compare the best programs of a run by cross-validation")
    .argument("[run]", 'run: its id, a prefix of it, or "last"', "last")
    .option("--top <n>", "number of programs", wholeNumber("--top", 1), 10)
    .addOption(
      new Option("--by <what>", "criterion by which programs are chosen")
        .choices(["target", "policy", "elpd"] as const).default("target" as const),
    )
    .addOption(
      new Option("--method <name>", "weights of the programs")
        .choices(["stacking", "pseudo_bma", "bb_pseudo_bma"] as const)
        .default("stacking" as const),
    )
    .option("--references", "include the published programs that the run names")
    .option("--json", "as JSON")
    .option("--project <dir>", "folder that holds runs/")
    .addHelpText("after", example)
    .action(async (run, { top, by, method, references, json, project }) => {
      const folder = projectHere(project);
      const candidates = await readCandidates(folder, run, top, by, references);
      const rows = await compareCandidates(candidates, method);
      const terminal = session.terminal();
      if (json) terminal.data(JSON.stringify(rows.map(rowReport), null, 2));
      else terminal.out(comparisonTable(rows, terminal));
    });
}

/**
 * Candidates by rank.
 *
 * @throws InputError, if they were cross-validated over different units.
 */
export async function compareCandidates(
  candidates: readonly Candidate[],
  method: WeightMethod,
): Promise<Row[]> {
  const sizes = new Set(candidates.map((one) => `${one.unit} ${one.elpd_pointwise.length}`));
  if (sizes.size > 1) {
    const message = "Cannot compare programs that were cross-validated over different units";
    throw inputError("compare/units", message, undefined, `found ${[...sizes].join("; ")}`);
  }
  const { compareElpd } = await import("../../answers/compared.ts");
  const { RandomStream } = await import("../../base/random.ts");
  const pointwise = candidates.map((one) => one.elpd_pointwise);
  return compareElpd(pointwise, method, new RandomStream("compare", method))
    .map((one) => ({ ...one, candidate: candidates[one.index] }));
}

function rowReport({ candidate, ...one }: Row): Record<string, unknown> {
  return {
    rank: one.rank,
    elpd_loo: one.elpd,
    p_loo: candidate.p_loo,
    elpd_diff: one.elpdDiff,
    weight: one.weight,
    se: one.se,
    dse: one.dse,
    mcse: candidate.mcse,
    warning: candidate.unresolved > 0,
    target: candidate.target,
    policy: candidate.policy,
    features: candidate.features,
    reference: candidate.reference ?? null,
    program: candidate.text,
  };
}

function comparisonTable(rows: readonly Row[], terminal: Terminal): string {
  const head = ["", "elpd_loo", "p_loo", "elpd_diff", "dse", "se", "weight", "target"];
  const lines = rows.map(({ candidate, ...one }) => [
    String(one.rank),
    one.elpd.toFixed(2) + (candidate.unresolved > 0 ? " *" : ""),
    number(candidate.p_loo),
    one.elpdDiff.toFixed(2),
    one.dse.toFixed(2),
    one.se.toFixed(2),
    percent(one.weight),
    percent(candidate.target),
  ]);
  const texts = rows.map(({ candidate }) => describe(candidate));
  const table = tableWithTexts(head, lines, texts, terminal);
  const warned = rows.some(({ candidate }) => candidate.unresolved > 0);
  return warned ? `${table}\n* some Pareto k are too high and were not refitted` : table;
}

function describe({ reference, features, text }: Candidate): string {
  const productions = features.join(" ") || lastLine(text);
  return reference ? `${reference}: ${productions}` : productions;
}

function lastLine(text: string): string {
  return text.trim().split("\n").at(-1)?.trim() ?? "";
}
