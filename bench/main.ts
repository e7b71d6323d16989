/** Benchmarks: `deno task bench answers|bambi|rank|score|fresh|size|phases|engine|check|commands|data_sets|run|runner|start|memo|nodes|together|policy|sandbox|torchgfn|watched|proposals|behaviours|staleness|episodes|exact|free_writing|amortised`; figures go to standard output. */
import { benchAnswers } from "./answers_bench.ts";
import { benchCheck } from "./check_bench.ts";
import { benchCommands } from "./commands_bench.ts";
import { benchEngine } from "./engine_bench.ts";
import { benchFresh } from "./fresh_bench.ts";
import { benchMemo } from "./memo_bench.ts";
import { benchNodes } from "./nodes_bench.ts";
import { benchPhases } from "./phases_bench.ts";
import { benchRank } from "./rank_bench.ts";
import { benchRun } from "./run_bench.ts";
import { benchRunner } from "./runner_bench.ts";
import { benchSandbox } from "./sandbox_bench.ts";
import { benchScore } from "./score_bench.ts";
import { benchSize } from "./size_bench.ts";
import { benchStart } from "./start_bench.ts";
import { benchTogether } from "./together_bench.ts";
import { benchWatched } from "./watched_bench.ts";

const benches: Readonly<Record<string, (args: readonly string[]) => Promise<void>>> = {
  answers: benchAnswers,
  bambi: async (args) => {
    await (await import("./bambi_bench.ts")).benchBambi(args);
  },
  rank: benchRank,
  score: benchScore,
  check: benchCheck,
  commands: benchCommands,
  data_sets: async (args) => {
    await (await import("./data_sets_bench.ts")).benchDataSets(args);
  },
  engine: benchEngine,
  fresh: benchFresh,
  size: benchSize,
  phases: benchPhases,
  run: benchRun,
  runner: benchRunner,
  start: benchStart,
  memo: benchMemo,
  nodes: benchNodes,
  together: benchTogether,
  sandbox: benchSandbox,
  watched: benchWatched,
  proposals: async (args) => {
    await (await import("./proposals_bench.ts")).benchProposals(args);
  },
  staleness: async (args) => {
    await (await import("./staleness_bench.ts")).benchStaleness(args);
  },
  behaviours: async (args) => {
    await (await import("./behaviours_bench.ts")).benchBehaviours(args);
  },
  exact: async (args) => {
    await (await import("./exact_programs/main.ts")).benchExactPrograms(args);
  },
  episodes: async (args) => {
    await (await import("./episodes_bench.ts")).benchEpisodes(args);
  },
  experiments: async (args) => {
    await (await import("./experiments_bench.ts")).benchExperiments(args);
  },
  free_writing: async (args) => {
    await (await import("./free_writing/main.ts")).benchFreeWriting(args);
  },
  amortised: async (args) => {
    await (await import("./amortised/main.ts")).benchAmortised(args);
  },
  policy: async (args) => {
    await (await import("./policy_bench.ts")).benchPolicy(args);
  },
  torchgfn: async (args) => {
    await (await import("./torchgfn_bench.ts")).benchTorchgfn(args);
  },
};

const [name, ...args] = Deno.args;
const bench = benches[name ?? ""];
if (!bench) {
  console.error(`usage: deno task bench ${Object.keys(benches).join("|")} [arguments]`);
  Deno.exit(2);
}
const { cpuModel } = machine();
console.log(`${navigator.hardwareConcurrency} cores, ${cpuModel}, Deno ${Deno.version.deno}`);
await bench(args);

function machine(): { readonly cpuModel: string } {
  try {
    const text = Deno.readTextFileSync("/proc/cpuinfo");
    return { cpuModel: /model name\s*: (.*)/.exec(text)?.[1] ?? Deno.build.arch };
  } catch {
    return { cpuModel: Deno.build.arch };
  }
}
