/** Answer by an experiment's prior alone: one number for all questions. */
import { RandomStream } from "../../base/random.ts";
import type { BeliefJson } from "../theories/messages.ts";
import { designOf, rowsJson } from "./design.ts";
import { questionRow } from "./draw_rows.ts";
import { answerOf } from "./episode.ts";
import { errorKind, type Experiment, latentGoal } from "./experiment.ts";
import { bestAnswer } from "./latent_goal.ts";
import type { Theories } from "./theories.ts";

/** Questions over which prior predictions are averaged, and worlds behind each. */
const [questions, worlds] = [100, 300];

/**
 * Answers of the prior: mean or median of its predictive distribution over the questions, or its
 * likelier side, as one number for all; of a goal of latents a number for each.
 */
export async function constantOf(
  experiment: Experiment,
  theories: Theories,
): Promise<readonly number[]> {
  const random = new RandomStream("play", experiment.name, "constant");
  const rows = Array.from({ length: questions }, () => questionRow(experiment, random));
  const predict = rowsJson(rows, experiment);
  const goal = latentGoal(experiment);
  const { predicted, latent_draws } = await theories.ask(experiment.program, {
    op: "belief",
    design: designOf(experiment),
    theories: [{ text: experiment.program, prior: 1 }],
    seen: { ...rowsJson([], experiment), response: [] },
    particles: worlds,
    key: ["play", experiment.name, "constant"],
    predict,
    ...(goal && { latents: goal.latents }),
  }) as BeliefJson;
  if (goal) return bestAnswer(latent_draws!, goal, errorKind(experiment));
  const means = predicted!.map(({ mean }) => mean);
  const medians = predicted!.map(({ median }) => median).sort((a, b) => a - b);
  const mean = means.reduce((a, b) => a + b, 0) / questions;
  return [answerOf({ mean, median: medians[questions / 2] }, experiment)];
}
