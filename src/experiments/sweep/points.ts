/** Points of a sweep: the product of the values of `[sweep]` and `--set`, seeds last, so that they pair. */
import type { Json } from "../../base/canonical_json.ts";
import { canonicalJson } from "../../base/canonical_json.ts";
import { InputError, inputError } from "../../base/diagnostic.ts";
import { RandomStream } from "../../base/random.ts";
import { exp, log } from "../../numerics/math/mod.ts";
import type { SweepTable } from "../../pipeline/read/mod.ts";
import type { PointValues } from "../../pipeline/store/mod.ts";
import { type Axis, overlaps, readAxis, wholeNumbers } from "./axes.ts";

/** Values of the points, and those that all of them share. */
interface SweptPoints {
  readonly points: readonly PointValues[];
  /** `path=value` with a single value, as written. */
  readonly fixed: readonly string[];
}

/**
 * The points of a sweep, each once, in the order of the written values.
 *
 * @param sets `path=value,…` of the command line; with one value they hold for all points.
 * @throws InputError for a path that two of them set, and where nothing is swept.
 */
export function sweptPoints(table: SweepTable | undefined, sets: readonly string[]): SweptPoints {
  const given = sets.map(readAxis);
  const [swept, fixed] = [[], []] as [Axis[], Axis[]];
  for (const one of given) (one.values.length > 1 ? swept : fixed).push(one);
  const factors = table ? factorsOf(table) : [];
  const written = [...factors.flatMap(pathsOf), ...given];
  const twice = overlaps(written);
  if (twice.length > 0) throw new InputError(twice);
  const all = [...factors, ...swept.map(factorOf)];
  if (all.length === 0) throw nothingSwept();
  const seedsLast = all.toSorted((a, b) => Number(isSeed(a)) - Number(isSeed(b)));
  const points = seedsLast.reduce<PointValues[]>(
    (sofar, factor) => sofar.flatMap((one) => factor.map((values) => ({ ...one, ...values }))),
    [{}],
  );
  return { points: distinct(points), fixed: fixed.map(({ written }) => written) };
}

/** Counts the points of a sweep before they are made. */
export function countPoints(table: SweepTable | undefined, sets: readonly string[]): number {
  const factors = table
    ? factorsOf({ ...table, random: undefined }).map(({ length }) => length)
    : [];
  const drawn = table?.random?.points ?? 1;
  const given = sets.map((one) => readAxis(one).values.length);
  return [...factors, drawn, ...given].reduce((product, one) => product * one, 1);
}

/** Values that are set together: a factor of the product. */
type Factor = readonly PointValues[];

const isSeed = (factor: Factor): boolean => factor.length > 0 && "seed" in factor[0];

function factorOf({ path, values }: Pick<Axis, "path" | "values">): Factor {
  return values.map((value) => ({ [path]: value }));
}

function factorsOf({ seeds, grid = {}, list, random, halving }: SweepTable): Factor[] {
  return [
    ...halving ? [[{ [halving.steps]: halving.rungs[0] }]] : [],
    ...Object.entries(grid).map(([path, values]) => factorOf({ path, values: values as Json[] })),
    ...list ? [list as Factor] : [],
    ...random ? [randomFactor(random)] : [],
    ...seeds === undefined ? [] : [factorOf({ path: "seed", values: seedsOf(seeds) })],
  ];
}

function pathsOf(factor: Factor): Pick<Axis, "path" | "written">[] {
  const paths = new Set(factor.flatMap((values) => Object.keys(values)));
  return [...paths].map((path) => ({ path, written: `[sweep] ${path}` }));
}

function seedsOf(seeds: NonNullable<SweepTable["seeds"]>): number[] {
  if (typeof seeds === "number") return wholeNumbers(0, seeds - 1, "seeds");
  if (typeof seeds === "string") return readAxis(`seed=${seeds}`).values.map(Number);
  return [...seeds];
}

/** Draws are a function of seed, path and number: a longer sweep begins with the same settings. */
function randomFactor({ points, seed, draw }: NonNullable<SweepTable["random"]>): Factor {
  return Array.from({ length: points }, (_, i) =>
    Object.fromEntries(
      Object.entries(draw).map(([path, rule]) => {
        return [path, drawn(rule as Draw, new RandomStream("sweep", seed, path, i), path)];
      }),
    ));
}

type Draw = NonNullable<SweepTable["random"]>["draw"][string];

function drawn(rule: Draw, random: RandomStream, path: string): Json {
  if ("choice" in rule) return rule.choice[random.below(rule.choice.length)] as Json;
  const [kind, [lo, hi]] = Object.entries(rule)[0] as [string, [number, number]];
  if (!(lo <= hi) || kind === "log_uniform" && !(lo > 0)) throw badBounds(path, kind, lo, hi);
  if (kind === "integers") return lo + random.below(hi - lo + 1);
  const u = random.uniform();
  const value = kind === "uniform" ? lo + u * (hi - lo) : exp(log(lo) + u * (log(hi) - log(lo)));
  return Number(value.toPrecision(6));
}

function badBounds(path: string, kind: string, lo: number, hi: number): Error {
  const wanted = kind === "log_uniform" ? "0 < lower <= upper" : "lower <= upper";
  const message = `Cannot draw ${path}: ${kind} = [${lo}, ${hi}], wanted ${wanted}`;
  return inputError("sweep/bounds", message);
}

function nothingSwept(): Error {
  const hint = "give --set path=value,value or --set seed=0..9, or a table [sweep] in the pipeline";
  return inputError(
    "sweep/nothing",
    "Cannot make a sweep: nothing has two values",
    undefined,
    hint,
  );
}

/** Points by their values: equal ones are one. */
function distinct(points: readonly PointValues[]): PointValues[] {
  return [...new Map(points.map((one) => [pointKey(one), one])).values()];
}

/** Text by which two points that set the same values are known. */
export function pointKey(values: PointValues): string {
  return canonicalJson(values);
}
