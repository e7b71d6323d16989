/** Families of numbers: definitions that most of them share, so that each states its formula alone. */
import type { RandomStream } from "../../../base/random.ts";
import type { GraphBuilder } from "../ir/builder.ts";
import type { NodeId } from "../ir/node.ts";
import type { Distribution, Transform } from "../ir/program.ts";
import type {
  Domain,
  FamilyDefinition,
  Mean,
  Peak,
  Reading,
  Signature,
  Support,
} from "./family.ts";
import { atLeast, atMost, domainConditions, guard, positive } from "./guard.ts";
import { commonShape } from "./arrays.ts";

/** A formula of a value and the canonical parameters. */
export type Formula = (g: GraphBuilder, x: NodeId, ...params: NodeId[]) => NodeId;

/** Definition that a family of numbers states. */
interface Univariate {
  readonly signature: Signature;
  /** Canonical parameters in order, each with its domain. */
  readonly parameters: Readonly<Record<string, Domain>>;
  readonly support: Support;
  readonly discrete?: boolean;
  readonly proper?: boolean;
  /** log p(x) inside of the support, for parameters in their domains. */
  readonly density: Formula;
  /** Conditions on the value, beside those of the support; and among parameters. */
  readonly conditions?: (g: GraphBuilder, x: NodeId, ...params: NodeId[]) => readonly NodeId[];
  /** log P(X ≤ x) between the ends of the support. */
  readonly logCdf?: Formula;
  /** log P(X > x) between the ends of the support. */
  readonly logSurvival?: Formula;
  /** Where the support begins and ends, for the cumulative functions. */
  readonly ends?: (g: GraphBuilder, ...params: NodeId[]) => {
    readonly lower?: NodeId;
    readonly upper?: NodeId;
  };
  /** The largest values of parameters at which a double still represents probabilities (`reach.ts`). */
  readonly most?: Readonly<Record<string, number>>;
  /** Conditions among parameters, for the cumulative functions too. */
  readonly consistent?: (g: GraphBuilder, ...params: NodeId[]) => readonly NodeId[];
  /** Unless it follows from the support. */
  readonly transform?: (g: GraphBuilder, distribution: Distribution) => Transform;
  readonly centre?: Reading;
  readonly spread?: Reading;
  readonly location?: number;
  readonly symmetric?: true;
  readonly peak?: Peak;
  readonly besideZero?: string;
  readonly mean?: Mean;
  readonly meanOfExponential?: Mean;
  /** One draw. */
  readonly sample: (random: RandomStream, ...params: number[]) => number;
}

/** The whole table entry of a family of numbers. */
export function univariate(family: Univariate): FamilyDefinition {
  const parameters = Object.keys(family.parameters);
  return {
    signature: family.signature,
    parameters,
    most: family.most,
    parameterRanks: parameters.map(() => 0),
    eventRank: 0,
    discrete: family.discrete ?? false,
    proper: family.proper ?? true,
    support: family.support,
    centre: family.centre,
    spread: family.spread,
    location: family.location,
    symmetric: family.symmetric,
    peak: family.peak,
    besideZero: family.besideZero,
    mean: family.mean,
    meanOfExponential: family.meanOfExponential,
    logDensity: (g, value, { args }) => logDensity(family, g, value, args),
    logCdf: family.logCdf && ((g, value, { args }) => cumulative(family, g, value, args, "cdf")),
    logSurvival: family.logSurvival &&
      ((g, value, { args }) => cumulative(family, g, value, args, "survival")),
    transform: family.transform ?? (() => transformOf(family.support)),
    draw: (random, args, _distribution, out) => {
      const numbers = new Array<number>(args.length);
      for (let i = 0; i < out.length; i++) {
        args.forEach(({ values }, k) => numbers[k] = values[values.length === 1 ? 0 : i]);
        out[i] = family.sample(random, ...numbers);
      }
    },
  };
}

function logDensity(
  family: Univariate,
  g: GraphBuilder,
  x: NodeId,
  args: readonly NodeId[],
): NodeId {
  const conditions = [
    ...parameterConditions(family, g, args),
    ...supportConditions(g, x, family.support),
    ...(family.conditions?.(g, x, ...args) ?? []),
  ];
  const density = guard(g, conditions, family.density(g, x, ...args));
  return g.broadcast(density, commonShape(g, [x, ...args]));
}

function parameterConditions(
  family: Univariate,
  g: GraphBuilder,
  args: readonly NodeId[],
): NodeId[] {
  const domains = Object.entries(family.parameters);
  return [
    ...args.flatMap((arg, i) => domainConditions(g, arg, domains[i][1])),
    ...args.flatMap((arg, i) => {
      const most = family.most?.[domains[i][0]];
      return most === undefined ? [] : atMost(g, arg, most);
    }),
    ...(family.consistent?.(g, ...args) ?? []),
  ];
}

/** Conditions that the support alone sets. */
function supportConditions(g: GraphBuilder, x: NodeId, support: Support): NodeId[] {
  switch (support) {
    case "positive":
      return positive(g, x);
    case "non_negative":
    case "count":
    case "bounded_count":
      return atLeast(g, x, 0);
    case "unit":
    case "binary":
      return [...atLeast(g, x, 0), ...atMost(g, x, 1)];
    case "open_unit":
      return domainConditions(g, x, "open_unit");
    case "circle":
      return [...atLeast(g, x, -Math.PI), ...atMost(g, x, Math.PI)];
    default:
      return [];
  }
}

/** The default transform that a support asks for; discrete distributions have none. */
function transformOf(support: Support): Transform {
  switch (support) {
    case "positive":
    case "non_negative":
      return { kind: "log" };
    case "unit":
    case "open_unit":
      return { kind: "logodds" };
    case "circle":
      return { kind: "circular" };
    default:
      return { kind: "identity" };
  }
}

/** A cumulative function with its constant values beyond the ends of the support. */
function cumulative(
  family: Univariate,
  g: GraphBuilder,
  x: NodeId,
  args: readonly NodeId[],
  which: "cdf" | "survival",
): NodeId {
  const ends = family.ends?.(g, ...args) ?? endsOf(g, family.support);
  const lower = finiteEnd(g, ends.lower);
  const upper = finiteEnd(g, ends.upper);
  const whole = family.discrete ? g.map("floor", x) : x;
  const before = lower === undefined
    ? undefined
    : g.map(family.discrete ? "lt" : "le", whole, lower);
  const after = upper === undefined ? undefined : g.map("ge", whole, upper);
  // The formula is never asked outside of the support, so that no slope there becomes NaN.
  let inside = whole;
  const fallback = insideOf(g, lower, upper, family.discrete ?? false);
  if (before !== undefined) inside = g.where(before, fallback, inside);
  if (after !== undefined) inside = g.where(after, fallback, inside);
  const formula = which === "cdf" ? family.logCdf! : family.logSurvival!;
  const [below, above] = which === "cdf" ? [-Infinity, 0] : [0, -Infinity];
  let result = formula(g, inside, ...args);
  if (after !== undefined) result = g.where(after, g.scalar(above), result);
  if (before !== undefined) result = g.where(before, g.scalar(below), result);
  return guard(g, parameterConditions(family, g, args), result);
}

/** An end that is a constant infinity is none. */
function finiteEnd(g: GraphBuilder, end: NodeId | undefined): NodeId | undefined {
  if (end === undefined) return undefined;
  return Math.abs(g.constantOf(end) ?? 0) === Infinity ? undefined : end;
}

/** A number between the ends. */
function insideOf(
  g: GraphBuilder,
  lower: NodeId | undefined,
  upper: NodeId | undefined,
  discrete: boolean,
): NodeId {
  if (lower !== undefined && discrete) return lower;
  if (lower !== undefined && upper !== undefined) {
    return g.mul(g.scalar(0.5), g.add(lower, upper));
  }
  if (lower !== undefined) return g.add(lower, g.scalar(1));
  return upper === undefined ? g.scalar(0) : g.sub(upper, g.scalar(1));
}

function endsOf(g: GraphBuilder, support: Support): { lower?: NodeId; upper?: NodeId } {
  switch (support) {
    case "positive":
    case "non_negative":
    case "count":
    case "bounded_count":
      return { lower: g.scalar(0) };
    case "unit":
    case "open_unit":
    case "binary":
      return { lower: g.scalar(0), upper: g.scalar(1) };
    default:
      return {};
  }
}
