/** The statements of a term: priors of its coefficients, and its contribution to the predictor `eta`. */
import { inputError } from "../../../base/diagnostic.ts";
import type { Factor, Term } from "../formula/formula.ts";
import { type Columns, moments, twoDigits, valuesBy } from "../writing/columns.ts";
import {
  type DesignColumn,
  hingesOf,
  less,
  literal,
  productsOf,
  readOf,
} from "../writing/design.ts";

/** A term as programs write it. */
export interface WrittenTerm {
  readonly statements: readonly string[];
  /** Number of coefficients that it adds. */
  readonly coefficients: number;
  /** Coefficients by their labels in reports. */
  readonly effects: ReadonlyMap<string, WrittenEffect>;
}

/** A coefficient that reports speak of. */
interface WrittenEffect {
  readonly variable: string;
  /** The level that it is compared with, where it stands for a level of a category. */
  readonly against?: string | undefined;
  /** Where the effects of the factors of a product hold. */
  readonly at?: string | undefined;
  /** Whether it is a standard deviation. */
  readonly isSpread?: boolean;
}

/** Where terms are added, and how wide their priors are. */
export interface TermScale {
  /** The variable that each term adds to: `eta`. */
  readonly variable: string;
  /** Begins the names of all variables, such as `sigma_`; nothing for the mean. */
  readonly prefix: string;
  /** Begins the labels of all effects; the prefix, if left out. */
  readonly label?: string;
  /** Prior scale of the change in the variable per standard deviation of a predictor. */
  readonly scale: number;
  /** A product that every width begins with, such as `width * `; nothing where there is none. */
  readonly width: string;
  /** True where no intercept's prior knows of the offsets: they are added less their mean. */
  readonly centresOffsets?: boolean;
  /** Whether a group may have one row at each level, as no other noise would be confounded with it. */
  readonly perRow?: boolean;
}

/** A width, as programs write it. */
function widthOf({ width }: TermScale, value: number): string {
  return `${width}${literal(twoDigits(value))}`;
}

/** Standard deviations of the response that one of the predictor may move it by, a priori. */
const priorWidth = 2.5;

/** @throws InputError `formula/…` if the data have no such column, or none that suits. */
export function writeTerm(columns: Columns, term: Term, scale: TermScale): WrittenTerm {
  if (term.kind === "offset") return writeOffset(columns, term.factor, scale);
  if (term.kind === "group") return writeGroup(columns, term, scale);
  const [factor, ...others] = term.factors;
  if (factor.kind === "spline" && others.length === 0) return writeSpline(columns, factor, scale);
  if (factor.kind === "monotonic" && others.length === 0) {
    return writeMonotonic(columns, factor, scale);
  }
  const bent = term.factors.find(({ kind }) => kind === "spline" || kind === "monotonic");
  if (bent) {
    const what = bent.kind === "spline" ? "a spline" : "a monotonic term";
    const message = `Cannot use ${term.source}: ${what} has no interactions`;
    throw inputError("formula/spline", message, undefined, "use poly(x, 2) in its place");
  }
  return writeProducts(productsOf(columns, term.factors), scale);
}

/** Normal coefficients, 2.5 in units of sd(response) / sd(predictor) wide, as rstanarm has them. */
function writeProducts(design: readonly DesignColumn[], scale: TermScale): WrittenTerm {
  const { prefix } = scale;
  const coefficient = ({ name }: DesignColumn) => `b_${prefix}${name}`;
  const effects = new Map(
    design.map((one) => [
      `${labelPrefix(scale)}${one.label}`,
      { variable: coefficient(one), against: one.against, at: one.at },
    ]),
  );
  const priors = design.map((one) => {
    const width = widthOf(scale, (priorWidth * scale.scale) / (moments(one.values).sd || 1));
    const name = coefficient(one);
    return `${name} = pm.Normal("${name}", mu=0, sigma=${width})`;
  });
  const sum = design.map((one) => `${coefficient(one)} * ${one.text}`).join(" + ");
  return { statements: [...priors, added(scale, sum)], coefficients: design.length, effects };
}

function added({ variable }: TermScale, sum: string): string {
  return `${variable} = ${variable} + ${sum}`;
}

/** `sigma: ` before the terms of another parameter. */
function labelPrefix({ prefix, label = prefix.replace(/_$/, "") }: TermScale): string {
  return label === "" ? "" : `${label}: `;
}

/**
 * Steps of one sign between the levels of a whole number, whose shares of the whole are a simplex
 * (Bürkner and Charpentier 2020, British J. Mathematical and Statistical Psychology 73, eq. 3).
 */
function writeMonotonic(
  columns: Columns,
  { column: name }: Factor & { readonly kind: "monotonic" },
  scale: TermScale,
): WrittenTerm {
  const [least, most] = stepsOf(columns, name);
  const steps = most - least;
  const [b, share] = ["b", "share"].map((word) =>
    `${word}_${scale.prefix}mo_${columns.slug(name)}`
  );
  const code = least === 0 ? readOf(name) : `${readOf(name)} - ${literal(least)}`;
  const risen = `pm.math.concatenate([[0.0], pm.math.cumsum(${share})])`;
  return {
    statements: [
      `${b} = pm.Normal("${b}", mu=0, sigma=${widthOf(scale, priorWidth * scale.scale)})`,
      `${share} = pm.Dirichlet("${share}", a=np.ones(${steps}))`,
      added(scale, `${b} * ${risen}[${code}]`),
    ],
    coefficients: steps,
    effects: new Map([[`${labelPrefix(scale)}${name}, lowest to highest`, { variable: b }]]),
  };
}

/** The lowest and the highest of whole numbers, or of levels with a declared order. */
function stepsOf(columns: Columns, name: string): readonly [number, number] {
  const { ordered, categories } = columns.predictor(name);
  if (categories && !ordered) {
    const message = `Cannot use mo(${name}): the order of its levels is not known`;
    const hint = `--category "${name}=LEAST,…,MOST", or levels = ["LEAST", "…"] of the column`;
    throw inputError("formula/monotonic", message, undefined, hint);
  }
  if (categories && categories.length > 2 && categories.length <= 21) {
    return [0, categories.length - 1];
  }
  const { values } = columns.predictor(name);
  const [least, most] = [Math.min, Math.max].map((end) => values.reduce((a, b) => end(a, b)));
  const isSteps = values.every(Number.isInteger) && most - least > 1 && most - least <= 20;
  if (isSteps && !categories) return [least, most];
  const message = `Cannot use mo(${name}): its values are no whole numbers of 3 to 21 levels`;
  throw inputError("formula/monotonic", message, undefined, "number the levels in their order");
}

/** A line and hinges whose slopes have one spread, which is estimated. */
function writeSpline(
  columns: Columns,
  factor: Factor & { readonly kind: "spline" },
  scale: TermScale,
): WrittenTerm {
  const line: Factor = { kind: "column", column: factor.column };
  const { statements, effects } = writeProducts(productsOf(columns, [line]), scale);
  const hinges = hingesOf(columns, factor);
  const own = `${scale.prefix}${columns.slug(factor.column)}`;
  const [spread, bends] = [`bend_${own}`, `bends_${own}`];
  const { sd } = moments(columns.numbers(factor.column).values);
  const width = widthOf(scale, scale.scale / sd);
  const sum = hinges.map((hinge, i) => `${bends}[${i}] * ${hinge}`).join(" + ");
  return {
    statements: [
      ...statements,
      `${spread} = pm.HalfNormal("${spread}", sigma=${width})`,
      `${bends} = pm.Normal("${bends}", mu=0, sigma=${spread}, shape=${hinges.length})`,
      added(scale, sum),
    ],
    coefficients: 1 + hinges.length,
    effects,
  };
}

function writeOffset(columns: Columns, factor: Factor, scale: TermScale): WrittenTerm {
  if (factor.kind !== "column") {
    const message = "Cannot use this offset: it is more than one column";
    throw inputError("formula/offset", message, undefined, "write offset(x) or offset(log(x))");
  }
  const { mean } = moments(valuesBy(columns.numbers(factor.column), factor.by));
  const read = readOf(factor.column);
  const plain = factor.by ? `np.${factor.by}(${read})` : read;
  const text = scale.centresOffsets ? less(plain, twoDigits(mean)) : plain;
  return { statements: [added(scale, text)], coefficients: 0, effects: new Map() };
}

/** Effects of the levels of a group, with a spread that is estimated. */
function writeGroup(
  columns: Columns,
  term: Term & { readonly kind: "group" },
  scale: TermScale,
): WrittenTerm {
  const { index, levels } = levelsOf(columns, term.groups, scale.perRow);
  const name = `${scale.prefix}${term.groups.map((group) => columns.slug(group)).join("_")}`;
  const slopes = term.slopes.map((factor) => slopeOf(columns, factor));
  const varying: Varying[] = [
    ...(term.intercept ? [{ name, label: "Intercept", text: undefined, width: scale.scale }] : []),
    ...slopes.map((slope) => ({
      name: `${slope.name}_${name}`,
      label: slope.label,
      text: slope.text,
      width: scale.scale / (moments(slope.values).sd || 1),
    })),
  ];
  const statements = term.correlated && varying.length > 1
    ? together(name, varying, index, levels, scale)
    : varying.flatMap((one) => apart(one, index, levels, scale));
  const effects = new Map(varying.map((one) => [
    `${labelPrefix(scale)}sd(${one.label} | ${term.groups.join(":")})`,
    { variable: `spread_${one.name}`, isSpread: true },
  ]));
  return { statements, coefficients: varying.length, effects };
}

interface Varying {
  readonly label: string;
  readonly name: string;
  /** Expression that it multiplies; undefined for an intercept. */
  readonly text: string | undefined;
  readonly width: number;
}

function apart(
  { name, text, width }: Varying,
  index: string,
  levels: number,
  scale: TermScale,
): string[] {
  const effect = `effect_${name}[${index}]`;
  return [
    `spread_${name} = pm.HalfNormal("spread_${name}", sigma=${widthOf(scale, width)})`,
    `effect_${name} = pm.Normal("effect_${name}", mu=0, sigma=spread_${name}, shape=${levels})`,
    added(scale, text === undefined ? effect : `${effect} * ${text}`),
  ];
}

/** Correlated effects, by a Cholesky factor (Lewandowski, Kurowicka and Joe 2009). */
function together(
  name: string,
  varying: readonly Varying[],
  index: string,
  levels: number,
  scale: TermScale,
): string[] {
  const n = varying.length;
  const sums = varying.map(({ text, width }, k) => {
    const effect = `${widthOf(scale, width)} * effect_${name}[${index}, ${k}]`;
    return text === undefined ? effect : `${effect} * ${text}`;
  });
  return [
    `chol_${name}, corr_${name}, sd_${name} = pm.LKJCholeskyCov("cov_${name}", n=${n}, eta=2, ` +
    `sd_dist=pm.Exponential.dist(1.0, shape=${n}))`,
    ...varying.map(({ name: own, width }, k) =>
      `pm.Deterministic("spread_${own}", ${widthOf(scale, width)} * sd_${name}[${k}])`
    ),
    `z_${name} = pm.Normal("z_${name}", mu=0, sigma=1, shape=(${levels}, ${n}))`,
    `effect_${name} = pm.math.dot(z_${name}, chol_${name}.T)`,
    added(scale, sums.join(" + ")),
  ];
}

function slopeOf(columns: Columns, factor: Factor): DesignColumn {
  const design = factor.kind === "column" ? productsOf(columns, [factor]) : [];
  if (design.length === 1) return design[0];
  const message = "Cannot let this slope vary by group: it is more than one column";
  throw inputError("formula/slope", message, undefined, "a slope is that of a column of numbers");
}

/** The codes of a group's levels, or of the pairs of several groups' levels. */
function levelsOf(columns: Columns, groups: readonly string[], perRow = false) {
  const all = groups.map((group) => columns.group(group, !perRow));
  const levels = all.reduce((product, { categories }) => product * categories.length, 1);
  const index = all.slice(1).reduce(
    (text, { name, categories }) => `${text} * ${categories.length} + ${readOf(name)}`,
    readOf(all[0].name),
  );
  return { index, levels };
}
