/** The statements of a term: priors of its coefficients, and what it adds to the predictor `eta`. */
import { inputError } from "../../../base/diagnostic.ts";
import type { Factor, Term } from "../formula/formula.ts";
import { type Columns, moments, twoDigits } from "../writing/columns.ts";
import { type DesignColumn, hingesOf, literal, productsOf, readOf, slug } from "../writing/design.ts";
import type { PredictorScale } from "./families.ts";

/** A term as programs write it. */
export interface WrittenTerm {
  readonly statements: readonly string[];
  /** How many coefficients it adds. */
  readonly coefficients: number;
  /** What reports call a coefficient, and its variable. */
  readonly effects: ReadonlyMap<string, string>;
}

/** Standard deviations of the response that one of the predictor may move it by, a priori. */
const priorWidth = 2.5;

/** @throws InputError `formula/…` if the data have no such column, or none that suits. */
export function writeTerm(columns: Columns, term: Term, scale: PredictorScale): WrittenTerm {
  if (term.kind === "offset") return writeOffset(columns, term.factor);
  if (term.kind === "group") return writeGroup(columns, term, scale);
  const [factor, ...others] = term.factors;
  if (factor.kind === "spline" && others.length === 0) return writeSpline(columns, factor, scale);
  if (term.factors.some(({ kind }) => kind === "spline")) {
    const message = `Cannot use ${term.source}: a spline has no interactions`;
    throw inputError("formula/spline", message, undefined, "use poly(x, 2) in its place");
  }
  return writeProducts(productsOf(columns, term.factors), scale);
}

/** Normal coefficients, 2.5 in units of sd(response) / sd(predictor) wide, as rstanarm has them. */
function writeProducts(design: readonly DesignColumn[], { scale }: PredictorScale): WrittenTerm {
  const effects = new Map(design.map(({ label, name }) => [label, `b_${name}`]));
  const priors = design.map(({ name, values }) => {
    const width = literal(twoDigits((priorWidth * scale) / (moments(values).sd || 1)));
    return `b_${name} = pm.Normal("b_${name}", mu=0, sigma=${width})`;
  });
  const sum = design.map(({ name, text }) => `b_${name} * ${text}`).join(" + ");
  return { statements: [...priors, `eta = eta + ${sum}`], coefficients: design.length, effects };
}

/** A line and hinges whose slopes have one spread, which is estimated. */
function writeSpline(
  columns: Columns,
  factor: Factor & { readonly kind: "spline" },
  scale: PredictorScale,
): WrittenTerm {
  const line: Factor = { kind: "column", column: factor.column };
  const { statements, effects } = writeProducts(productsOf(columns, [line]), scale);
  const hinges = hingesOf(columns, factor);
  const [spread, bends] = [`bend_${slug(factor.column)}`, `bends_${slug(factor.column)}`];
  const { sd } = moments(columns.numbers(factor.column).values);
  const width = literal(twoDigits(scale.scale / sd));
  const sum = hinges.map((hinge, i) => `${bends}[${i}] * ${hinge}`).join(" + ");
  return {
    statements: [
      ...statements,
      `${spread} = pm.HalfNormal("${spread}", sigma=${width})`,
      `${bends} = pm.Normal("${bends}", mu=0, sigma=${spread}, shape=${hinges.length})`,
      `eta = eta + ${sum}`,
    ],
    coefficients: 1 + hinges.length,
    effects,
  };
}

function writeOffset(columns: Columns, factor: Factor): WrittenTerm {
  if (factor.kind !== "column") {
    const message = "Cannot use this offset: it is more than one column";
    throw inputError("formula/offset", message, undefined, "write offset(x) or offset(log(x))");
  }
  columns.numbers(factor.column);
  const read = readOf(factor.column);
  const text = factor.by ? `np.${factor.by}(${read})` : read;
  return { statements: [`eta = eta + ${text}`], coefficients: 0, effects: new Map() };
}

/** Effects of the levels of a group, with a spread that is estimated. */
function writeGroup(
  columns: Columns,
  term: Term & { readonly kind: "group" },
  scale: PredictorScale,
): WrittenTerm {
  const { index, levels } = levelsOf(columns, term.groups);
  const name = term.groups.map(slug).join("_");
  const slopes = term.slopes.map((factor) => slopeOf(columns, factor));
  const varying: Varying[] = [
    ...(term.intercept ? [{ name, text: undefined, width: scale.scale }] : []),
    ...slopes.map((slope) => ({
      name: `${slope.name}_${name}`,
      text: slope.text,
      width: scale.scale / (moments(slope.values).sd || 1),
    })),
  ];
  const statements = term.correlated && varying.length > 1
    ? together(name, varying, index, levels)
    : varying.flatMap((one) => apart(one, index, levels));
  return { statements, coefficients: varying.length, effects: new Map() };
}

interface Varying {
  readonly name: string;
  /** What it multiplies; nothing for an intercept. */
  readonly text: string | undefined;
  readonly width: number;
}

function apart({ name, text, width }: Varying, index: string, levels: number): string[] {
  const effect = `effect_${name}[${index}]`;
  return [
    `spread_${name} = pm.HalfNormal("spread_${name}", sigma=${literal(twoDigits(width))})`,
    `effect_${name} = pm.Normal("effect_${name}", mu=0, sigma=spread_${name}, shape=${levels})`,
    `eta = eta + ${text === undefined ? effect : `${effect} * ${text}`}`,
  ];
}

/** Correlated effects, by a Cholesky factor (Lewandowski, Kurowicka and Joe 2009). */
function together(
  name: string,
  varying: readonly Varying[],
  index: string,
  levels: number,
): string[] {
  const n = varying.length;
  const added = varying.map(({ text, width }, k) => {
    const effect = `${literal(twoDigits(width))} * effect_${name}[${index}, ${k}]`;
    return text === undefined ? effect : `${effect} * ${text}`;
  });
  return [
    `chol_${name}, corr_${name}, sd_${name} = pm.LKJCholeskyCov("cov_${name}", n=${n}, eta=2, ` +
    `sd_dist=pm.Exponential.dist(1.0, shape=${n}))`,
    `z_${name} = pm.Normal("z_${name}", mu=0, sigma=1, shape=(${levels}, ${n}))`,
    `effect_${name} = pm.math.dot(z_${name}, chol_${name}.T)`,
    `eta = eta + ${added.join(" + ")}`,
  ];
}

function slopeOf(columns: Columns, factor: Factor): DesignColumn {
  const design = factor.kind === "column" ? productsOf(columns, [factor]) : [];
  if (design.length === 1) return design[0];
  const message = "Cannot let this slope vary by group: it is more than one column";
  throw inputError("formula/slope", message, undefined, "a slope is that of a column of numbers");
}

/** The codes of a group's levels, or of the pairs of several groups' levels. */
function levelsOf(columns: Columns, groups: readonly string[]) {
  const all = groups.map((group) => columns.group(group));
  const levels = all.reduce((product, { categories }) => product * categories.length, 1);
  const index = all.slice(1).reduce(
    (text, { name, categories }) => `${text} * ${categories.length} + ${readOf(name)}`,
    readOf(all[0].name),
  );
  return { index, levels };
}
