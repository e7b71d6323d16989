/** Compares settings: each measure over seeds, and differences paired by seed, with their intervals. */
import { betterSign, type Measured } from "./measures.ts";
import {
  deviationOf,
  excludesZero,
  interquartileMean,
  type Interval,
  meanInterval,
} from "./statistics.ts";

/** A measure of one setting. */
export interface Summary extends Interval {
  readonly setting: string;
  /** Seeds that have a value. */
  readonly n: number;
  readonly sd: number;
  /** Interquartile mean. */
  readonly iqm: number;
  /** Values by seed. */
  readonly values: Readonly<Record<string, number>>;
}

/** A setting against another, by the seeds that both have. */
export interface PairedDifference extends Interval {
  readonly setting: string;
  readonly against: string;
  readonly n: number;
  /** The interval leaves zero out. */
  readonly told: boolean;
}

/** One measure of one stage, of all settings. */
export interface ComparedMeasure {
  readonly stage: string;
  readonly measure: string;
  /** −1 where less is better, 1 where more is, 0 where neither is known. */
  readonly better: -1 | 0 | 1;
  readonly settings: readonly Summary[];
  /** Differences of each setting from the baseline. */
  readonly differences: readonly PairedDifference[];
  /**
   * The setting that is better than every other, each by an interval without zero; null where none
   * is, or where better is not defined.
   */
  readonly winner: string | null;
}

/**
 * Compares the settings of measured values.
 *
 * @param baseline setting that the others are compared with; the first of them if left out.
 */
export function compareSettings(
  measured: readonly Measured[],
  settings: readonly string[],
  baseline: string = settings[0],
): ComparedMeasure[] {
  const groups = Map.groupBy(measured, ({ stage, measure }) => JSON.stringify([stage, measure]));
  return [...groups.values()].map((all): ComparedMeasure => {
    const { stage, measure } = all[0];
    const valuesOf = new Map(settings.map((setting) => {
      const own = all.filter((one) => one.setting === setting);
      return [setting, Object.fromEntries(own.map(({ seed, value }) => [seed, value]))];
    }));
    const there = settings.filter((one) => Object.keys(valuesOf.get(one)!).length > 0);
    const key = `${stage} ${measure}`;
    const difference = (setting: string, against: string) =>
      paired(setting, against, valuesOf, `${key} ${setting} ${against}`);
    return {
      stage,
      measure,
      better: betterSign(measure),
      settings: there.map((setting) => summary(setting, valuesOf.get(setting)!, key)),
      differences: there.filter((one) => one !== baseline && there.includes(baseline))
        .flatMap((setting) => difference(setting, baseline) ?? []),
      winner: winnerOf(there, betterSign(measure), difference),
    };
  });
}

function summary(setting: string, values: Record<string, number>, key: string): Summary {
  const all = Object.values(values);
  return {
    setting,
    n: all.length,
    ...meanInterval(all, `${key} ${setting}`),
    sd: deviationOf(all),
    iqm: interquartileMean(all),
    values,
  };
}

function paired(
  setting: string,
  against: string,
  valuesOf: ReadonlyMap<string, Record<string, number>>,
  key: string,
): PairedDifference | undefined {
  const [own, other] = [valuesOf.get(setting)!, valuesOf.get(against)!];
  const seeds = Object.keys(own).filter((seed) => seed in other);
  if (seeds.length === 0) return undefined;
  const interval = meanInterval(seeds.map((seed) => own[seed] - other[seed]), key);
  return { setting, against, n: seeds.length, ...interval, told: excludesZero(interval) };
}

function winnerOf(
  settings: readonly string[],
  sign: -1 | 0 | 1,
  difference: (setting: string, against: string) => PairedDifference | undefined,
): string | null {
  if (sign === 0 || settings.length < 2) return null;
  const isBetter = (one: string, other: string) => {
    const found = difference(one, other);
    return found !== undefined && found.told && found.mean * sign > 0;
  };
  return settings.find((one) => settings.every((other) => other === one || isBetter(one, other))) ??
    null;
}
