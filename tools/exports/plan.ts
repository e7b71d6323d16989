/** Which exports are looked at, and which stay though tests alone use them. */
import type { ExportPlan } from "./unused.ts";

/** The plan of this house. */
export const exportPlan: ExportPlan = {
  house: ["src", "stages", "mod.ts"],
  // Doors; commands and stages, which are loaded by their paths; modules that generated entries import.
  doors: new RegExp(
    [
      String.raw`(^|/)mod\.ts$`,
      String.raw`^src/cli/commands/`,
      String.raw`^stages/\w+/stage\.ts$`,
      String.raw`^src/pipeline/host/main\.ts$`,
      String.raw`^src/oracle/llama_worker\.ts$`,
      String.raw`^src/executor/worker_crypto\.ts$`,
      String.raw`^src/engine/language/pymc/viable_prefix\.ts$`,
    ].join("|"),
  ),
  testsOnly: {
    "src/base/user_folder.ts#chooseUserFolder": "tests write keys into folders of their own",
    "src/engine/loo/thresholds.ts#withThresholds": "tests show what each threshold decides",
    "src/gfn/environments/bit_sequence.ts#defaultBitSequence": "tests change one parameter",
    "src/gfn/environments/conjugate_programs.ts#defaultConjugatePrograms":
      "tests change one parameter",
    "src/gfn/environments/expression.ts#defaultExpression": "tests change one parameter",
    "src/gfn/environments/hypergrid.ts#defaultHypergrid": "tests change one parameter",
    "src/gfn/environments/numbers.ts#defaultNumbers": "tests change one parameter",
    "src/gfn/environments/strings.ts#defaultStrings": "tests change one parameter",
    "src/sandbox/syscall_numbers.ts#syscallNames": "tests go through all of them",
  },
};
