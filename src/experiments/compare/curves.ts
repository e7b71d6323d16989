/** Courses of measures over the steps of loops: mean over seeds, with the range of the seeds as a band. */

/** A value of a measure at a step of one run. */
interface StepValue {
  readonly setting: string;
  readonly seed: string;
  readonly stage: string;
  readonly measure: string;
  readonly step: number;
  readonly value: number;
}

/** The course of a measure of one setting. */
export interface Curve {
  readonly setting: string;
  readonly stage: string;
  readonly measure: string;
  /** Mean, least and largest value over seeds, by step. */
  readonly points: readonly {
    readonly step: number;
    readonly n: number;
    readonly mean: number;
    readonly lo: number;
    readonly hi: number;
  }[];
}

/** Steps of a curve that are kept: a screen shows no more. */
const mostPoints = 400;

/** One curve for each setting, stage and measure; values that are no numbers are left out. */
export function curvesOf(values: readonly StepValue[]): Curve[] {
  const sound = values.filter(({ value }) => Number.isFinite(value));
  const groups = Map.groupBy(sound, ({ setting, stage, measure }) => {
    return JSON.stringify([measure, stage, setting]);
  });
  return [...groups.values()].map((all) => {
    const { setting, stage, measure } = all[0];
    const steps = [...Map.groupBy(all, ({ step }) => step)].sort(([a], [b]) => a - b);
    const every = Math.ceil(steps.length / mostPoints);
    const kept = steps.filter((_, i) => i % every === 0 || i === steps.length - 1);
    return { setting, stage, measure, points: kept.map(([step, some]) => pointOf(step, some)) };
  });
}

function pointOf(step: number, some: readonly StepValue[]): Curve["points"][number] {
  const all = some.map(({ value }) => value);
  const mean = all.reduce((sum, one) => sum + one, 0) / all.length;
  return { step, n: all.length, mean, lo: Math.min(...all), hi: Math.max(...all) };
}
