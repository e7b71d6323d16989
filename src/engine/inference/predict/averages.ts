/** Averages of expected responses over blocks of rows, for each draw of the parameters. */
import type { Mean } from "../../language/distributions/family.ts";
import { families } from "../../language/distributions/table.ts";
import type { ArrayValue } from "../../language/ir/array_value.ts";
import { type ResponseTransform, untransformed } from "../../language/ir/response_transform.ts";
import { sizeOf } from "../../language/ir/shape.ts";
import { drawDistribution } from "./draw_distribution.ts";
import type { RowsAtDraws } from "./draws.ts";

/** Rows of a block, and how the response was transformed. */
interface AverageOptions {
  /** Consecutive rows that are averaged; all blocks have as many. */
  readonly each: number;
  readonly transform?: ResponseTransform;
}

/**
 * The average of each block of rows `[draws, blocks]`: of expected responses, or of drawn ones where the
 * family's mean is not known.
 */
export function averagesAtDraws(
  { distribution, forEach }: RowsAtDraws,
  draws: number,
  { each, transform = [] }: AverageOptions,
): Float64Array {
  const rows = sizeOf(distribution.shape);
  const blocks = rows / each;
  const out = new Float64Array(draws * blocks);
  const values = new Float64Array(rows);
  const { mean, meanOfExponential } = families[distribution.family];
  const isLogged = transform.length === 1 && transform[0].kind === "log";
  const expected = isLogged ? meanOfExponential : transform.length === 0 ? mean : undefined;
  forEach((s, valueOf, random) => {
    const parameters = distribution.args.map(valueOf);
    if (expected && parameters.every(({ values }) => isOfRows(values, rows))) {
      fill(values, parameters, expected);
    } else {
      drawDistribution(random, distribution, valueOf, values);
      if (transform.length > 0) values.forEach((z, i) => values[i] = untransformed(transform, z));
    }
    for (let i = 0; i < rows; i++) out[s * blocks + Math.floor(i / each)] += values[i] / each;
  });
  return out;
}

/** Whether there is one number for all rows, or one for each. */
function isOfRows({ length }: Float64Array, rows: number): boolean {
  return length === 1 || length === rows;
}

function fill(out: Float64Array, parameters: readonly ArrayValue[], expected: Mean): void {
  const own = parameters.map(() => 0);
  for (let i = 0; i < out.length; i++) {
    parameters.forEach(({ values }, k) => own[k] = values[values.length === 1 ? 0 : i]);
    out[i] = expected(...own);
  }
}
