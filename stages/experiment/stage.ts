/** Runs the stage kind `experiment`: reads the file, and has its theory tried. */
import { inputError } from "../../src/base/diagnostic.ts";
import { sha256 } from "../../src/base/digest.ts";
import { readRegularText } from "../../src/base/regular_file.ts";
import { defineStage, type StageContext } from "../../src/pipeline/contract/mod.ts";
import type { Experiment } from "../../src/executor/play/experiment.ts";
import type { DescribedWorld } from "../../src/executor/play/answer_of_world.ts";
import type { Tried } from "../../src/executor/play/messages.ts";
import declaration from "./mod.ts";

/** Bytes of a file that is no experiment, whatever is in it. */
const mostBytes = 1 << 20;
/** A p-value below which simulator and density are of two theories: one experiment of ten thousand is wrongly refused. */
const leastP = 1e-4;
/** Share of worlds that overflow from which the user is warned. */
const oftenOverflows = 0.001;

export default defineStage({
  ...declaration,
  async run(context, _inputs, { path, module, calibration }) {
    const experiment = module ? await readModule(context, module) : await readFile(path!);
    const tried = await context.ask<Tried>("world", { op: "try", experiment, calibration });
    const { calibration_p: p, worst, overflow_share: over } = tried;
    if (p !== undefined && p < leastP) throw twoTheories(experiment.name, p, worst!);
    if (over > oftenOverflows) {
      context.log(
        `in ${(100 * over).toFixed(0)} % of worlds the theory overflows: these are drawn again`,
        "warning",
      );
    }
    if (p !== undefined) {
      context.log(
        `simulator and density are one theory: p = ${p.toFixed(3)} over ${calibration} transcripts`,
      );
    }
    const { errorKind } = await import("../../src/executor/play/experiment.ts");
    context.rows("program", [{ sha256: sha256(experiment.program), text: experiment.program }]);
    context.rows("experiment", [{
      name: experiment.name,
      version: experiment.format,
      program: sha256(experiment.program),
      goal: experiment.goal === "predictions" ? experiment.goal : "latents",
      error: errorKind(experiment),
      calibration_draws: tried.calibration_draws,
      calibration_p: p,
      overflow_share: over,
      published: experiment.published,
    }]);
    return { experiment };
  },
  async check({ params: { path } }) {
    return path === undefined ? {} : { experiment: await readFile(path) };
  },
});

/** The experiment of a module, as its world describes it. @throws InputError with every finding. */
async function readModule(context: StageContext, path: string): Promise<Experiment> {
  const { isOwnExperiment } = await import("../../src/executor/play/define_experiment.ts");
  const { readOwnExperiment } = await import("../../src/executor/play/read_experiment.ts");
  const world = context.plugin(path);
  if (!isOwnExperiment(world)) {
    const hint = "write: export default defineExperiment({ name, version: 1, …, begin, respond })";
    const message = `Cannot use the experiment ${path}: its default export is not an experiment`;
    throw inputError("plugin/experiment", message, undefined, hint);
  }
  const described = world.answer({ op: "describe" }) as DescribedWorld;
  return readOwnExperiment(described, path);
}

/** @throws InputError with every finding, at its place in the file. */
async function readFile(path: string): Promise<Experiment> {
  const { readExperiment } = await import("../../src/executor/play/read_experiment.ts");
  return readExperiment(readRegularText(path, mostBytes), path);
}

function twoTheories(name: string, p: number, worst: string): Error {
  const message =
    `Cannot play experiment "${name}": rows that its program simulates are not distributed ` +
    `as its density says (${worst}: p = ${p.toExponential(1)})`;
  const hint =
    "the posterior of such a theory is wrong: this is a fault of Sluice, which its maintainers want to hear of";
  return inputError("experiment/calibration", message, undefined, hint);
}
