/** Writes an observation: its values as JSON, and in the words of the experiment. */
import type { InputRow } from "./draw_rows.ts";
import { type Experiment, inputsOf } from "./experiment.ts";

/** The values of a row as an agent sees them: levels by name. */
export function shownRow(row: InputRow, experiment: Experiment): Record<string, number | string> {
  return Object.fromEntries(
    [...inputsOf(experiment)].filter(([name]) => name in row).map((
      [name, input],
    ) => [name, input.type === "category" ? input.levels[row[name]] : row[name]]),
  );
}

/** Whether a response is no number that may be reported. */
export function overflows(value: number | null): boolean {
  return value === null || !(Math.abs(value) < 1e9);
}

/** A response as reported: rounded where the experiment sets that. */
export function toldResponse(value: number, { response }: Experiment): number {
  const { round } = response;
  return round === undefined ? value : Number((Math.round(value / round) * round).toPrecision(12));
}

/** The sentence of an observation. */
export function inWords(row: InputRow, value: number, experiment: Experiment): string {
  const told = { ...shownRow(row, experiment), [experiment.response.name]: value };
  return experiment.words.replace(/\{([^{}]*)\}/g, (_, name) => `${told[name]}`);
}
