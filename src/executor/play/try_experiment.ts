/** Tries an experiment before it is played: whether simulator and density agree, and how often its theory overflows. */
import { RandomStream } from "../../base/random.ts";
import { inputError } from "../../base/diagnostic.ts";
import { nearest } from "../../base/nearest.ts";
import { calibrationOf } from "../../engine/score/execution/mod.ts";
import { joinedLatents } from "../theories/joined_latents.ts";
import { designOf, rowsJson } from "./design.ts";
import { questionRow, randomRow } from "./draw_rows.ts";
import { type Experiment, latentGoal } from "./experiment.ts";
import { overflows } from "./tell.ts";
import type { LatentsJson, Theories } from "./theories.ts";
import type { Tried } from "./messages.ts";

/** Worlds that are tried for overflow, and questions in each. */
const [worlds, questions] = [100, 20];
/** Rows of each calibrated transcript. */
const calibrationRows = 4;
/** Transcripts of one answer: workers share them, and none works for minutes on end. */
const calibratedAtOnce = 20;

/**
 * Tries an experiment.
 *
 * @param calibration simulated transcripts by which the posterior is calibrated; none if 0.
 * @throws InputError if the program cannot be read or followed, if its theory overflows everywhere, or if the catalogue
 *   cannot be drawn.
 */
export async function tryExperiment(
  experiment: Experiment,
  theories: Theories,
  calibration: number,
): Promise<Tried> {
  const design = designOf(experiment);
  const { program, name } = experiment;
  const random = new RandomStream("play", name, "try");
  const rows = Array.from({ length: questions }, () => questionRow(experiment, random));
  const keys = Array.from({ length: worlds }, (_, k) => ["play", name, "try", k]);
  const latents = await theories.ask(program, {
    op: "latents",
    design,
    at: rowsJson(rows, experiment),
    keys,
  }) as LatentsJson[];
  const all = joinedLatents(latents);
  requireLatents(experiment, all);
  const drawn = await theories.ask(program, {
    op: "responses",
    design,
    latents: all,
    at: rowsJson(rows, experiment),
    key: ["play", name, "try"],
    copies: 1,
  }) as (number | null)[];
  let over = 0;
  for (let world = 0; world < worlds; world++) {
    const own = drawn.slice(world * questions, (world + 1) * questions);
    if (own.some(overflows)) over++;
  }
  if (over === worlds) {
    const message =
      `Cannot play experiment "${name}": its theory overflows at its questions in all of ${worlds} worlds`;
    throw inputError("experiment/overflow", message, undefined, "narrow its priors, or the inputs");
  }
  const found = { overflow_share: over / worlds, calibration_draws: calibration };
  if (calibration === 0 || experiment.module) return { ...found, calibration_draws: 0 };
  const asked = Array.from({ length: calibrationRows }, () => randomRow(experiment, random));
  const parts = await Promise.all(
    Array.from({ length: Math.ceil(calibration / calibratedAtOnce) }, (_, part) => {
      const first = part * calibratedAtOnce;
      return theories.ask(program, {
        op: "calibrate",
        design,
        at: rowsJson(asked, experiment),
        first,
        draws: Math.min(calibratedAtOnce, calibration - first),
        key: ["play", name, "calibrate"],
      }) as Promise<Readonly<Record<string, readonly number[]>>>;
    }),
  );
  const names = [...new Set(parts.flatMap((part) => Object.keys(part)))];
  const ranks = new Map(names.map((one) => [one, parts.flatMap((part) => part[one] ?? [])]));
  if (ranks.size === 0) return { ...found, calibration_draws: 0 };
  const { p, worst } = calibrationOf(ranks);
  return { ...found, calibration_p: p, worst };
}

/** @throws InputError `experiment/no-latent`, where there is none, not the one that a goal names, or where one of several values is said to be alike. */
function requireLatents(experiment: Experiment, { names, draws, parameters }: LatentsJson): void {
  const { latents = [], alike = [] } = latentGoal(experiment) ?? {};
  const refuse = (reason: string, hint: string) =>
    inputError(
      "experiment/no-latent",
      `Cannot play experiment "${experiment.name}": ${reason}`,
      undefined,
      hint,
    );
  if (names.length === 0) {
    const hint = 'draw what is to be found out: a = pm.Normal("a", 0, 1)';
    throw refuse("its program has no latent, so that no row tells anything", hint);
  }
  for (const name of latents) {
    if (names.includes(name)) continue;
    const near = nearest(name, names);
    const hint = near ? `did you mean "${near}"?` : `its latents are ${names.join(", ")}`;
    throw refuse(`its program has no latent "${name}", which the goal names`, hint);
  }
  const vector = alike.flat().find((name) => parameters[names.indexOf(name)].length > draws);
  if (vector) throw refuse(`"${vector}" has several values`, "write alike of single numbers");
}
