/** The part of bench/results/learning.md on far modes: policies with proposals, from bench/results/proposals.jsonl. */
import { type ProposalsResult, resultsOf } from "../proposals/results.ts";
import { explorers, type Task, tasks } from "../proposals/tasks.ts";
import { both, mean, short, table } from "./numbers.ts";

const intro = "Spaces whose modes lie far apart, where a policy alone stays with those that it " +
  "found first (on the grid of 16 × 16 with R0 = 0.0001 on one of four, total variation 0.75). Beside " +
  "its own walks are broad ones and [local search](../../docs/stages.md#propose); all are learnt from. " +
  "`deno task bench proposals` runs the seeds that are missing.";

const bitsNote =
  "The bit sequences are those of Malkin et al. (2022, section 5.3): 120 bits, words of 4, 60 modes " +
  'drawn as concatenations of five motifs of 8 bits. "Near a mode" is not the same everywhere. ' +
  "Code that was published (Tiapkin et al. 2024, torchgfn) rewards by the Hamming distance, and " +
  "counts a mode as found when an object within 30 bits of it was met. Under exp(−2d) the target itself " +
  "lies 14 bits from its modes. The paper speaks of the edit distance. There, with exp(−d), objects " +
  "within 28 edits are counted, a number of our own; that is near enough to be no proof of the mode, " +
  "for the modes are 18 to 32 edits apart. So both counts stand for both, with what broad walks alone " +
  "find by as many executions, and how many modes were met to the last bit. No total variation can be " +
  "counted there, and none is claimed. Searches cut a piece from anywhere and go on behind it as " +
  'before (`rejoin`), each from a walk of its own (`from = "fresh"`).';

const explorersNote =
  "Ways to explore, each alone, on the grid of 16 × 16 with R0 = 0.0001: sixteen proposals beside sixteen " +
  "walks of the policy in each of 1,000 steps, half of a batch replayed. Exploration by a second network " +
  "that is trained on the loss of the first is the [teacher](../../docs/stages.md#propose). The three files are " +
  "[proposers of one's own](../../docs/stages.md#propose): Malek et al. (2025, loss-guided) and Dall'Antonia et al. " +
  "(2026, divergent trajectory balance) train a second policy on R + λ loss, or where the first has less " +
  "than is due. A proposer keeps nothing between steps, so that a killed run has the same bits again, and " +
  "draws among the best known objects by these weights in its place. Which way finds the modes by fewer " +
  "evaluations is a matter of the space; nothing is claimed of others.";

/** Empty as long as nothing was run. */
export function proposalsSection(): string {
  const known = withRows(tasks);
  if (known.length === 0) return "";
  const grids = known.filter(({ task }) => !task.modes);
  const bits = known.filter(({ task }) => task.modes);
  const ways = withRows(explorers);
  return [
    "## Far modes, with proposals",
    intro,
    grids.length === 0 ? "" : gridTable(grids),
    ...(bits.length === 0 ? [] : [bitsNote, bitsTable(bits)]),
    ...(ways.length === 0 ? [] : [explorersNote, gridTable(ways)]),
  ].filter((part) => part !== "").join("\n\n");
}

function withRows(all: readonly Task[]): Known[] {
  return all.map((task) => ({ task, rows: resultsOf(task) })).filter(({ rows }) => rows.length > 0);
}

interface Known {
  readonly task: Task;
  readonly rows: readonly ProposalsResult[];
}

function gridTable(known: readonly Known[]): string {
  const columns = ["seeds", "TV", "largest", "TV ≤ 0.02", "distinct evaluations", "trajectories"];
  const body = known.map(({ task, rows }) => {
    const tv = rows.map((one) => one.tv!);
    return [
      task.title,
      `${rows.length}`,
      both(tv),
      short(Math.max(...tv)),
      `${tv.filter((one) => one <= 0.02).length} of ${tv.length}`,
      ...counts(rows),
    ];
  });
  return table(["", ...columns, "processor seconds"], body);
}

function bitsTable(known: readonly Known[]): string {
  const found = ["within 30 bits", "within 28 edits"].flatMap((what) => [what, "by broad walks"]);
  const body = known.map(({ task, rows }) => [
    task.title,
    `${rows.length}`,
    fewest(rows.map((one) => one.modes_found_by_hamming!), task),
    most(rows.map((one) => one.modes_found_by_hamming_by_broad_walks!)),
    fewest(rows.map((one) => one.modes_found!), task),
    most(rows.map((one) => one.modes_found_by_broad_walks!)),
    fewest(rows.map((one) => one.modes_met!), task),
    ...counts(rows),
  ]);
  const last = ["met", "distinct evaluations", "trajectories", "processor seconds"];
  return table(["modes found: fewest", "seeds", ...found, ...last], body);
}

/** The least of all seeds, of all modes. */
function fewest(values: readonly number[], { modes }: Task): string {
  return `${Math.min(...values)} of ${modes!.texts.length}`;
}

const most = (values: readonly number[]) => `${Math.max(...values)}`;

function counts(rows: readonly ProposalsResult[]): string[] {
  return [
    whole(rows.map((one) => one.distinct_executions)),
    whole(rows.map((one) => one.trajectories)),
    short(mean(rows.map((one) => one.cpu_seconds))),
  ];
}

function whole(values: readonly number[]): string {
  return Math.round(mean(values)).toLocaleString("en");
}
