/** Discrete variables that rows share: parameters whose few values the engine sums over. */
import { families } from "../distributions/table.ts";
import type { GraphBuilder } from "../ir/builder.ts";
import type { NodeId } from "../ir/node.ts";
import type { Distribution, Transform } from "../ir/program.ts";
import { sizeOf } from "../ir/shape.ts";
import { distributionNodes, transformNodes } from "../ir/canonical.ts";
import type { ModelState } from "./model_state.ts";
import { dependsOnAny, refuseLatent } from "./discrete_latents.ts";
import { limits } from "../syntax/limits.ts";

/** The transform of a discrete variable that is summed out. */
export type Summed = Extract<Transform, { kind: "summed" }>;

/** The values of a discrete distribution, if they are finitely many and known before sampling. */
export function finiteValues(graph: GraphBuilder, distribution: Distribution): Summed | undefined {
  const { family, args, components } = distribution;
  switch (family) {
    case "bernoulli":
      return { kind: "summed", lower: 0, count: 2 };
    case "categorical":
      return { kind: "summed", lower: 0, count: graph.shapeOf(args[0]).at(-1) ?? 1 };
    case "discrete_uniform":
      return between(graph, args[0], args[1]);
    case "binomial":
      return between(graph, undefined, args[0]);
    case "beta_binomial":
      return between(graph, undefined, args[2]);
    case "truncated":
      return families[components![0].family].support === "count"
        ? between(graph, args[0], args[1])
        : undefined;
    default:
      return undefined;
  }
}

/** Whole numbers between bounds that are known; from 0 on where the lower one is left out. */
function between(
  graph: GraphBuilder,
  lower: NodeId | undefined,
  upper: NodeId,
): Summed | undefined {
  const from = lower === undefined ? Float64Array.of(0) : graph.valueOf(lower)?.values;
  const to = graph.valueOf(upper)?.values;
  if (!from || !to) return undefined;
  const least = Math.ceil(from.reduce((a, b) => Math.min(a, b), Infinity));
  const most = Math.floor(to.reduce((a, b) => Math.max(a, b), -Infinity));
  const first = lower === undefined || least > -Infinity ? least : 0;
  return most >= first && most < Infinity
    ? { kind: "summed", lower: first, count: most - first + 1 }
    : undefined;
}

/** Kinds of nodes that are taken over all values at once. */
const batched: ReadonlySet<string> = new Set([
  "map",
  "reduce",
  "scan",
  "reshape",
  "gather",
  "take",
  "join",
  "matmul",
  "parameter",
]);

/** Why the discrete variables of a whole program cannot be summed over; reports the first reason. */
export function checkShared(checking: ModelState): void {
  const { graph, parameters } = checking;
  const shared = parameters.flatMap(({ transform, shape }, k) =>
    transform.kind === "summed" ? [{ k, node: graph.parameter(k, shape), transform, shape }] : []
  );
  if (shared.length === 0 || !checking.likelihood) return;
  const nodes = shared.map(({ node }) => node);
  const refuse = (why: string) => {
    const k = shared[0].k;
    refuseLatent(checking, parameters[k].name, checking.parameterPlaces[k], why);
  };
  const combinations = shared.reduce(
    (product, { transform, shape }) => product * transform.count ** sizeOf(shape),
    1,
  );
  const elements = shared.reduce((sum, { shape }) => sum + sizeOf(shape), 0);
  const why = shared.length === parameters.length
    ? "nothing else of the model is random, so that there is nothing to sample"
    : tooMany(checking, combinations, elements) ?? unfit(checking, nodes);
  if (why !== undefined) refuse(why);
}

function tooMany(
  checking: ModelState,
  combinations: number,
  elements: number,
): string | undefined {
  const most = limits.discreteCombinations;
  if (combinations > most) {
    const what = elements === 1 ? "values" : "combinations of values";
    const count = combinations > 1e6 ? "millions of" : `${combinations}`;
    return `there are ${count} ${what}, more than ${most}`;
  }
  const terms = combinations * sizeOf(checking.responseShape);
  if (terms <= limits.discreteTerms) return undefined;
  return `${combinations} values for each of ${sizeOf(checking.responseShape)} data make ` +
    `${terms} likelihoods, more than ${limits.discreteTerms}`;
}

/** The first use of one of these variables that cannot be taken over all values at once. */
function unfit(checking: ModelState, variables: readonly NodeId[]): string | undefined {
  const { graph, parameters, deterministics, likelihood } = checking;
  const depends = (roots: readonly NodeId[]) => dependsOnAny(graph, roots, variables);
  const distributions = [
    { distribution: likelihood!.distribution, of: "the likelihood" },
    ...parameters.map(({ name, prior }) => ({ distribution: prior, of: `the prior of "${name}"` })),
  ];
  for (const { distribution, of } of distributions) {
    const path = depends(distributionNodes(distribution));
    if (path.size > 0 && !isPlain(distribution)) {
      return `${of} is no distribution of single numbers`;
    }
    if (!isBatched(graph, path)) return `${of} has it within a system of equations`;
  }
  for (const { name, transform } of parameters) {
    if (depends(transformNodes(transform)).size > 0) return `the bounds of "${name}" depend on it`;
  }
  for (const { name, node } of deterministics) {
    if (!isBatched(graph, depends([node]))) return `"${name}" has it within a system of equations`;
  }
}

function isPlain(distribution: Distribution): boolean {
  return families[distribution.family].eventRank === 0 &&
    (distribution.components ?? []).every(isPlain);
}

function isBatched(graph: GraphBuilder, path: ReadonlySet<NodeId>): boolean {
  return [...path].every((id) => batched.has(graph.nodes[id].kind));
}
