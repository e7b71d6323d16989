/** A measure of an evaluation: a number, how sure it is, and how it was found. */

/** A number and its Monte Carlo standard error; 0 where it is exact. */
export interface Measure {
  readonly value: number;
  readonly mcse: number;
  /** 95 % interval; value ± 1.96 mcse if left out. */
  readonly interval?: readonly [number, number];
  /** How many objects, samples or repetitions it rests on; all objects if left out. */
  readonly n?: number;
  /** `exact enumeration` or `Monte Carlo` if left out. */
  readonly method?: string;
}

/** Measures by name. */
export type Measures = Record<string, Measure>;

/** A measure without error. */
export function exactly(value: number): Measure {
  return { value, mcse: 0 };
}

/** Mean and standard error over repetitions. */
export function repeated(values: readonly number[], method: string): Measure {
  const n = values.length;
  const mean = values.reduce((sum, x) => sum + x, 0) / n;
  const squares = values.reduce((sum, x) => sum + (x - mean) * (x - mean), 0);
  return { value: mean, mcse: n > 1 ? Math.sqrt(squares / (n - 1) / n) : 0, n, method };
}
