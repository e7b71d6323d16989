/** Finds the normal latents that a likelihood of any kind sees through one linear predictor. */
import type { GraphNode, NodeId } from "../../language/ir/node.ts";
import type { CheckedProgram, Distribution } from "../../language/ir/program.ts";
import { sizeOf } from "../../language/ir/shape.ts";
import { elementsSeen } from "../predict/row_latent.ts";
import { linearLatents, locatedOf } from "./linear_latents.ts";

/** Latents of a field, and where the likelihood sees them. */
export interface FieldLatents {
  /** Indices of the parameters that are integrated out. */
  readonly latents: readonly number[];
  /** The node that is affine in them, and through which alone the likelihood sees them. */
  readonly predictor: NodeId;
  /** The element of the predictor that each row sees; each row has its own. */
  readonly elementOfRow: Int32Array;
  /** The program with the predictor as its last parameter, which has no prior. */
  readonly given: CheckedProgram;
}

/**
 * Latents with normal priors that come linearly into one array, of which each row of the likelihood sees
 * one element of its own: the rate's logarithm of a Poisson distribution, a logit, a location. A
 * parameter that multiplies such latents, or comes in beside the array, is not integrated. `undefined`
 * if there are none.
 */
export function fieldLatents(
  program: CheckedProgram,
  columns: ReadonlyMap<string, Float64Array>,
): FieldLatents | undefined {
  const { parameters, likelihood } = program;
  if (parameters.some(({ transform }) => transform.kind === "summed")) return undefined;
  const { components, args, shape } = likelihood.distribution;
  if (components || shape.length !== 1) return undefined;
  let candidates = new Set(
    [...parameters.keys()].filter((k) => {
      const { prior, transform } = parameters[k];
      const isSum = prior.family === "zero_sum_normal" && (prior.sizes?.[0] ?? 1) === 1;
      return isSum || (transform.kind === "identity" && locatedOf(prior) !== undefined);
    }),
  );
  while (candidates.size > 0) {
    const predictor = narrowed(program, args, candidates);
    const latents = predictor === undefined
      ? undefined
      : linearLatents(observedAt(program, predictor));
    const kept = new Set((latents ?? []).filter((k) => candidates.has(k)));
    if (predictor !== undefined && kept.size === candidates.size) {
      return seenByRows(program, columns, [...kept], predictor);
    }
    candidates = kept.size > 0 && kept.size < candidates.size
      ? kept
      : withoutShortest(program, candidates);
  }
  return undefined;
}

function withoutShortest({ parameters }: CheckedProgram, candidates: ReadonlySet<number>) {
  const size = (k: number) => sizeOf(parameters[k].shape);
  const shortest = [...candidates].reduce((a, b) => size(b) < size(a) ? b : a);
  return new Set([...candidates].filter((k) => k !== shortest));
}

/**
 * The one node that is affine in the candidates and through which the arguments see them: from the
 * highest ones down until only one is left.
 */
function narrowed(
  { nodes }: CheckedProgram,
  args: readonly NodeId[],
  candidates: ReadonlySet<number>,
): NodeId | undefined {
  const depends: boolean[] = [];
  const affine: boolean[] = [];
  for (const [id, node] of nodes.entries()) {
    depends[id] = node.kind === "parameter"
      ? candidates.has(node.parameter)
      : node.args.some((arg) => depends[arg]);
    affine[id] = depends[id] && isAffine(node, (arg) => depends[arg], (arg) => affine[arg]);
  }
  const open = new Set(args.filter((id) => depends[id]));
  for (;;) {
    const highest = Math.max(...open);
    if (open.size === 0) return undefined;
    if (open.size === 1 && affine[highest]) return highest;
    open.delete(highest);
    const below = nodes[highest].args.filter((arg) => depends[arg]);
    if (below.length === 0) return undefined;
    for (const arg of below) open.add(arg);
  }
}

/** Whether a node is affine in what it depends on, if its arguments are. */
function isAffine(
  node: GraphNode,
  depends: (arg: NodeId) => boolean,
  affine: (arg: NodeId) => boolean,
): boolean {
  const { kind, args } = node;
  if (kind === "parameter") return true;
  if (args.some((arg) => depends(arg) && !affine(arg))) return false;
  const only = (k: number) => args.every((arg, i) => i === k || !depends(arg));
  const one = args.filter(depends).length === 1;
  switch (kind) {
    case "map":
      if (node.op === "add" || node.op === "sub" || node.op === "neg") return true;
      if (node.op === "mul") return one && args[0] !== args[1];
      if (node.op === "where") return !depends(args[0]);
      return node.op === "div" && only(0);
    case "reduce":
      return node.op === "sum";
    case "scan":
      return node.op === "cumsum";
    case "matmul":
      return one && args[0] !== args[1];
    case "solve":
      return only(1);
    case "take":
      return only(0);
    case "cholesky":
      return false;
    default:
      return true;
  }
}

/** The program, were the node the location of a normal likelihood of its own. */
function observedAt(program: CheckedProgram, predictor: NodeId): CheckedProgram {
  const { nodes, likelihood } = program;
  const one: GraphNode = { kind: "constant", shape: [], args: [], values: Float64Array.of(1) };
  const distribution: Distribution = {
    family: "normal",
    args: [predictor, nodes.length],
    shape: nodes[predictor].shape,
  };
  return {
    ...program,
    nodes: [...nodes, one],
    likelihood: { ...likelihood, distribution },
  };
}

function seenByRows(
  program: CheckedProgram,
  columns: ReadonlyMap<string, Float64Array>,
  latents: readonly number[],
  predictor: NodeId,
): FieldLatents | undefined {
  const given = withParameter(program, predictor);
  const elementOfRow = elementsSeen(given, columns, program.parameters.length);
  const rows = sizeOf(program.likelihood.distribution.shape);
  if (!elementOfRow || new Set(elementOfRow).size !== rows) return undefined;
  return { latents, predictor, elementOfRow, given };
}

/** The program with the node as a parameter behind all others. */
function withParameter(program: CheckedProgram, id: NodeId): CheckedProgram {
  const { nodes, parameters } = program;
  const { shape } = nodes[id];
  const constant = (value: number): GraphNode => (
    { kind: "constant", shape: [], args: [], values: Float64Array.of(value) }
  );
  const parameter = {
    name: "predictor",
    shape,
    prior: { family: "normal", args: [nodes.length, nodes.length + 1], shape },
    transform: { kind: "identity" as const },
  };
  const input: GraphNode = { kind: "parameter", parameter: parameters.length, shape, args: [] };
  return {
    ...program,
    nodes: [...nodes.with(id, input), constant(0), constant(1)],
    parameters: [...parameters, parameter],
  };
}
