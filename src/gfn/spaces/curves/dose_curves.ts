/** Dose-response curves, their sources, and the priors of their parameters. */

/** Numbers of the data, as priors of curves need them. */
export interface DoseNumbers {
  /** A product that every width begins with. */
  readonly width: string;
  /** Centre and width of the response without a dose, on the scale of the predictor. */
  readonly start: string;
  readonly startWidth: string;
  /** Width of the change by a dose, on that scale. */
  readonly effect: string;
  /** The greatest dose, and the logarithm of the median of those above 0. */
  readonly most: string;
  readonly middle: string;
  readonly logMiddle: string;
  /** Width of the change per unit of the logarithm of the dose. */
  readonly perLog: string;
}

/** Statements that end with `eta`, the response at each dose on the scale of the predictor. */
type DoseCurve = (numbers: DoseNumbers) => readonly string[];

const e0 = ({ start, startWidth, width }: DoseNumbers) =>
  `e0 = pm.Normal("e0", mu=${start}, sigma=${width}${startWidth})`;
const change = (name: string) => ({ effect, width }: DoseNumbers) =>
  `${name} = pm.Normal("${name}", mu=0, sigma=${width}${effect})`;
const ed50 = ({ logMiddle, width }: DoseNumbers) =>
  `ed50 = pm.LogNormal("ed50", mu=${logMiddle}, sigma=${width}1.0)`;
const hill = ({ width }: DoseNumbers) => `hill = pm.LogNormal("hill", mu=0.5, sigma=${width}0.5)`;

type Prior = (numbers: DoseNumbers) => string;

function of(priors: readonly Prior[], mean: Prior): DoseCurve {
  return (numbers) => [
    ...[e0, ...priors].map((prior) => prior(numbers)),
    `eta = ${mean(numbers)}`,
  ];
}

/**
 * All curves, by name: those of MCP-Mod (Bretz, Pinheiro and Branson 2005, Biometrics 61:738-748),
 * and hormesis.
 */
export const doseCurves = {
  /** The dose changes nothing. */
  none: of([], () => "e0 + 0 * dose"),
  linear: of([change("slope")], ({ most }) => `e0 + slope * dose / ${most}`),
  /** Linear in the logarithm of the dose, finite at 0. */
  log_linear: of(
    [change("slope")],
    ({ middle }) => `e0 + slope * pm.math.log(1 + dose / ${middle})`,
  ),
  /** Linear in the logarithm of doses above 0: log-logistic where the response is binary. */
  log_dose: of(
    [({ perLog, width }) => `slope = pm.Normal("slope", mu=0, sigma=${width}${perLog})`],
    ({ middle }) => `e0 + slope * pm.math.log(dose / ${middle})`,
  ),
  /** Rises or falls faster and faster. */
  exponential: of(
    [change("slope"), ({ width }) => `rate = pm.HalfNormal("rate", sigma=${width}3.0)`],
    ({ most }) => `e0 + slope * (pm.math.exp(rate * (dose / ${most} - 1)) - pm.math.exp(-rate))`,
  ),
  /** Up and down again, or down and up. */
  quadratic: of(
    [change("slope"), change("bend")],
    ({ most }) => `e0 + slope * dose / ${most} + bend * (dose / ${most}) ** 2`,
  ),
  /** Michaelis and Menten (1913); as Emax: Holford and Sheiner (1981). */
  emax: of([change("emax"), ed50], () => "e0 + emax * dose / (ed50 + dose)"),
  /** Hill (1910): the sigmoid Emax, or four-parameter logistic, curve. */
  hill: of(
    [change("emax"), ed50, hill],
    () => "e0 + emax * dose ** hill / (ed50 ** hill + dose ** hill)",
  ),
  /** A little does the opposite of much: Brain and Cousens (1989), Weed Research 29:93-96, eq. 4. */
  hormesis: of(
    [change("emax"), ed50, hill, change("boost")],
    ({ most }) =>
      `e0 + (emax * dose ** hill + boost * dose / ${most} * ed50 ** hill) / ` +
      "(ed50 ** hill + dose ** hill)",
  ),
} as const satisfies Readonly<Record<string, DoseCurve>>;

/** Name of a dose-response curve. */
export type DoseCurveName = keyof typeof doseCurves;
