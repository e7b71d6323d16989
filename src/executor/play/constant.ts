/** Answer by an experiment's prior alone: one number for all questions. */
import { RandomStream } from "../../base/random.ts";
import type { BeliefJson } from "../theories/messages.ts";
import { designOf, rowsJson } from "./design.ts";
import { questionRow } from "./draw_rows.ts";
import { answerOf } from "./episode.ts";
import type { Experiment } from "./experiment.ts";
import type { Theories } from "./theories.ts";

/** Questions over which prior predictions are averaged, and worlds behind each. */
const [questions, worlds] = [100, 300];

/** Mean or median of the prior predictive distribution over the questions, or its likelier side. */
export async function constantOf(experiment: Experiment, theories: Theories): Promise<number> {
  const random = new RandomStream("play", experiment.name, "constant");
  const rows = Array.from({ length: questions }, () => questionRow(experiment, random));
  const predict = rowsJson(rows, experiment);
  const { predicted } = await theories.ask(experiment.program, {
    op: "belief",
    design: designOf(experiment),
    theories: [{ text: experiment.program, prior: 1 }],
    seen: { ...rowsJson([], experiment), response: [] },
    particles: worlds,
    key: ["play", experiment.name, "constant"],
    predict,
  }) as BeliefJson;
  const means = predicted!.map(({ mean }) => mean);
  const medians = predicted!.map(({ median }) => median).sort((a, b) => a - b);
  const mean = means.reduce((a, b) => a + b, 0) / questions;
  return answerOf({ mean, median: medians[questions / 2] }, experiment);
}
