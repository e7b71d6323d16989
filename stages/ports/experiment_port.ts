/** Experiments as artifacts: content of their files, and findings when they were tried. */
import { isOwnExperiment } from "../../src/executor/play/define_experiment.ts";
import { type Experiment, identityOf } from "../../src/executor/play/experiment.ts";
import type { DecodeContext } from "../../src/pipeline/contract/mod.ts";
import { jsonPort } from "./json_codec.ts";

/** A theory whose rows may be asked for; the place of a module is that of the run which reads it. */
export const experimentType = jsonPort<Experiment, Experiment>(
  "experiment",
  (experiment) => identityOf(experiment) as Experiment,
  (json, context) => json.module ? withPlace(json, json.module, context) : json,
);

function withPlace(
  json: Experiment,
  module: NonNullable<Experiment["module"]>,
  { plugins }: DecodeContext,
): Experiment {
  const found = [...plugins].find(([, one]) => isOwnExperiment(one) && one.name === json.name);
  if (found) return { ...json, module: { ...module, path: found[0] } };
  throw new TypeError(`internal: the module of experiment "${json.name}" was not loaded`);
}
