/** Noise families about a curve: the responses that each allows, and the statements it writes. */
import type { Column } from "../../../base/dataset.ts";
import { inputError } from "../../../base/diagnostic.ts";
import { literal, readOf } from "../writing/design.ts";
import { heavyTails } from "../writing/own_priors.ts";
import { moments, twoDigits } from "../writing/columns.ts";
import type { Choice } from "../writing/space_writer.ts";
import type { NoiseName } from "./noise_names.ts";

/** Response and scale of the noise families. */
interface NoiseOptions {
  readonly response: Column;
  /** The name of the variable that is observed, in quotes. */
  readonly called: string;
  /** A product that every width begins with. */
  readonly width: string;
}

/**
 * Families whose spread is a share of the curve's height, a coefficient of variation: its prior is that
 * of the other families' spread, over the mean of the response.
 */
const relative: ReadonlySet<NoiseName> = new Set(["log_normal", "gamma"]);

/**
 * The choices of the question `family`. The curve is the mean of normal, Student's and gamma noise,
 * and the median of log-normal noise.
 *
 * @throws InputError `families/response` where a noise cannot have the response.
 */
export function noiseChoices(names: readonly NoiseName[], options: NoiseOptions): Choice[] {
  for (const name of names) checkPositive(name, options.response);
  return names.map((name) => ({ answer: name, lines: linesOf(name, options) }));
}

function linesOf(name: NoiseName, { response, called, width }: NoiseOptions): string[] {
  const { mean, sd } = moments(response.values);
  const scale = literal(twoDigits(relative.has(name) ? sd / mean : sd));
  const spread = `sigma = pm.HalfNormal("sigma", sigma=${width}${scale})`;
  const observed = `observed=${readOf(response.name)}`;
  const likelihood = (family: string, args: string) =>
    `pm.${family}(${called}, ${args}, ${observed})`;
  switch (name) {
    case "normal":
      return [spread, likelihood("Normal", "mu=mu, sigma=sigma")];
    case "student_t":
      return [
        spread,
        ...heavyTails(width),
        likelihood("StudentT", "nu=nu, mu=mu, sigma=sigma"),
      ];
    case "log_normal":
      return [spread, likelihood("LogNormal", "mu=pm.math.log(mu), sigma=sigma")];
    case "gamma":
      return [spread, likelihood("Gamma", "mu=mu, sigma=sigma * mu")];
  }
}

function checkPositive(name: NoiseName, { name: column, values }: Column): void {
  const row = relative.has(name) ? values.findIndex((y) => y <= 0) : -1;
  if (row < 0) return;
  const message = `Cannot use family ${name}: it is for numbers above 0, and ${column} is ` +
    `${values[row]} in row ${row + 1}`;
  throw inputError("families/response", message, undefined, "use normal or student_t");
}
