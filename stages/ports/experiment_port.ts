/** Experiments as artifacts: what their files say, and what was found when they were tried. */
import type { Experiment } from "../../src/executor/play/experiment.ts";
import { jsonPort } from "./json_codec.ts";

/** A theory whose rows may be asked for. */
export const experimentType = jsonPort<Experiment, Experiment>("experiment", (v) => v, (v) => v);
