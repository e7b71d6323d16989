/** The part of bench/results/learning.md on far modes: policies with proposals, from bench/results/proposals.jsonl. */
import { type ProposalsResult, resultsOf } from "../proposals/results.ts";
import { explorers, type Task, tasks } from "../proposals/tasks.ts";
import { both, mean, short, table } from "./numbers.ts";

const intro =
  "If modes lie far apart, a policy alone stays at the modes that it found first. On the " +
  "grid of 16 × 16 with R0 = 0.0001 it often finds one of four modes, with a total " +
  "variation of 0.75. In the first table the policy also learns from broad walks and [local " +
  "search](../../docs/stages.md#propose). `deno task bench proposals` runs the seeds that " +
  "are missing.";

const bitsNote =
  "The bit sequences are those of Malkin et al. (2022, section 5.3): 120 bits, words of 4 " +
  "bits, and 60 modes drawn as concatenations of five motifs of 8 bits. Publications define " +
  "a found mode in two ways. In published code (Tiapkin et al. 2024, torchgfn) the reward " +
  "depends on the Hamming distance d, as exp(−2d), and a mode is found if an object within " +
  "30 bits was sampled. Objects of this target lie 14 bits from their modes on average. The " +
  "paper uses the edit distance. For its reward exp(−d) we count objects within 28 edits. " +
  "Such an object does not show that the mode itself was found, because modes are 18 to 32 " +
  "edits apart. The table has both counts for both rewards, the same counts for broad walks " +
  "alone with as many executions, and the number of modes sampled exactly (met). Total " +
  "variation cannot be computed on this space. Searches replace a piece anywhere and keep " +
  'the rest (`rejoin`), each starting from a fresh walk (`from = "fresh"`).';

const explorersNote =
  "The next table has each way to explore alone, on the grid of 16 × 16 with R0 = 0.0001. " +
  "Each of 1,000 steps has sixteen proposals and sixteen trajectories of the policy, and " +
  "half of a batch is replayed. The [teacher](../../docs/stages.md#propose) is a second " +
  "network that is trained on the loss of the first. The three files are [proposers of " +
  "one's own](../../docs/stages.md#propose). They follow Malek et al. (2025, loss-guided) " +
  "and Dall'Antonia et al. (2026, divergent trajectory balance), who train a second policy " +
  "on R + λ loss, or on objects with too little probability. The files instead draw among " +
  "the best known objects by these weights. They keep no state between steps, so that a " +
  "resumed run has the same bits. Which way needs the fewest evaluations depends on the " +
  "space.";

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
