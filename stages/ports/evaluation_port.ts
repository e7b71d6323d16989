/** Evaluations as artifacts: canonical JSON, in which numbers that are not finite are their names. */
import type { Measure } from "../evaluation/measure.ts";
import type { Evaluation } from "./values.ts";

/** The infinities and NaN, which JSON lacks, by name. */
type NamedNumber = number | "Infinity" | "-Infinity" | "NaN";

interface MeasureJson extends Omit<Measure, "value" | "mcse" | "interval"> {
  readonly value: NamedNumber;
  readonly mcse: NamedNumber;
  readonly interval?: readonly [NamedNumber, NamedNumber];
}

/** Content of an evaluation's artifact. */
interface EvaluationJson {
  readonly measures: readonly MeasureJson[];
}

/** An evaluation as JSON: a divergence may be infinite, and a correlation undefined. */
export function evaluationToJson({ measures }: Evaluation): EvaluationJson {
  return {
    measures: measures.map(({ value, mcse, interval, ...rest }) => ({
      ...rest,
      value: named(value),
      mcse: named(mcse),
      ...(interval && { interval: [named(interval[0]), named(interval[1])] as const }),
    })),
  };
}

/** The opposite of {@link evaluationToJson}. */
export function evaluationFromJson({ measures }: EvaluationJson): Evaluation {
  return {
    measures: measures.map(({ value, mcse, interval, ...rest }) => ({
      ...rest,
      value: Number(value),
      mcse: Number(mcse),
      ...(interval && { interval: [Number(interval[0]), Number(interval[1])] as const }),
    })),
  };
}

function named(value: number): NamedNumber {
  return Number.isFinite(value) ? value : `${value}` as NamedNumber;
}
