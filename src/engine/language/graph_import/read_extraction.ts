/** Reads what the extraction script printed: every node is checked, the first fault ends it. */
import { binaryOps, ternaryOps, unaryOps } from "../ir/operations.ts";
import type { ResponseStep } from "../ir/response_transform.ts";
import { broadcastShapes, sameShape, type Shape, sizeOf } from "../ir/shape.ts";
import type {
  ExtractedArgument,
  ExtractedDistribution,
  ExtractedNode,
  Extraction,
  ExtractionResult,
} from "./extraction.ts";

/** Limits on the size of a model, far below what could exhaust the process. */
const extractionLimits = {
  /** Nodes of one model. */
  nodes: 50_000,
  /** Elements of one array. */
  elements: 4_000_000,
  /** Axes of one array. */
  axes: 8,
  /** Free random variables. */
  parameters: 1000,
  /** Functions of the response, one after another. */
  responseSteps: 16,
  /** Characters of a name. */
  name: 256,
  /** Distributions inside one another. */
  depth: 4,
} as const;

class Violation extends Error {}

function demand(condition: boolean, what: string): asserts condition {
  if (!condition) throw new Violation(what);
}

type Fields = Readonly<Record<string, unknown>>;

/**
 * The model in what the script printed.
 *
 * @param printed parsed JSON of an untrusted process.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { readExtraction } from "./read_extraction.ts";
 * assert.deepEqual(readExtraction({ format: 1, unsupported: "Scan of PyTensor" }), {
 *   kind: "unsupported",
 *   construct: "Scan of PyTensor",
 * });
 * assert.equal(readExtraction([]).kind, "violation");
 * ```
 */
export function readExtraction(printed: unknown): ExtractionResult {
  try {
    const fields = record(printed, "the extraction");
    demand(fields.format === 1, "format is not 1");
    if (fields.unsupported !== undefined) {
      return { kind: "unsupported", construct: name(fields.unsupported) };
    }
    return { kind: "model", extraction: readModel(fields) };
  } catch (error) {
    if (error instanceof Violation) return { kind: "violation", what: error.message };
    throw error;
  }
}

function readModel(fields: Fields): Extraction {
  const listed = list(fields.nodes, "nodes", extractionLimits.nodes);
  const parameters = list(fields.parameters, "parameters", extractionLimits.parameters);
  const nodes: ExtractedNode[] = [];
  for (const one of listed) nodes.push(readNode(record(one, "a node"), nodes, parameters.length));
  const likelihood = record(fields.likelihood, "likelihood");
  const extraction: Extraction = {
    nodes,
    parameters: parameters.map((one) => readParameter(record(one, "a parameter"), nodes)),
    likelihood: {
      name: name(likelihood.name),
      distribution: readDistribution(likelihood.distribution, nodes, 0),
      value: numbers(likelihood.value),
      ...(likelihood.transform !== undefined && {
        transform: list(likelihood.transform, "steps", extractionLimits.responseSteps).map(
          readStep,
        ),
      }),
    },
    deterministics: list(fields.deterministics, "deterministics", extractionLimits.parameters)
      .map((one) => readDeterministic(record(one, "a deterministic"), nodes)),
  };
  checkParameterShapes(extraction);
  return extraction;
}

const stepsAlone = ["log", "log1p", "exp", "expm1", "logit", "reciprocal"] as const;
const stepsBy = ["power", "add", "multiply"] as const;

/** One function of the response. */
function readStep(json: unknown): ResponseStep {
  const step = record(json, "a step");
  const alone = stepsAlone.find((kind) => kind === step.kind);
  if (alone) return { kind: alone };
  const kind = stepsBy.find((kind) => kind === step.kind);
  const [by] = numbers([step.by]);
  if (!kind || !Number.isFinite(by) || (by === 0 && kind !== "add")) {
    throw new Violation("a function of the response that is none");
  }
  return { kind, by };
}

/** A parameter node has the shape of its distribution, and stands for it alone. */
function checkParameterShapes({ nodes, parameters }: Extraction): void {
  for (const { op, parameter, shape } of nodes) {
    if (op !== "parameter") continue;
    const distribution = parameters[parameter ?? -1]?.distribution;
    demand(
      distribution !== undefined && sameShape(distribution.shape, shape),
      "a parameter of another shape",
    );
  }
}

function readParameter(fields: Fields, nodes: readonly ExtractedNode[]) {
  const { transform } = fields;
  return {
    name: name(fields.name),
    distribution: readDistribution(fields.distribution, nodes, 0),
    transform: transform === null ? null : name(transform),
    dims: dimensions(fields.dims),
  };
}

function readDeterministic(fields: Fields, nodes: readonly ExtractedNode[]) {
  return {
    name: name(fields.name),
    node: nodeIndex(fields.node, nodes.length),
    dims: dimensions(fields.dims),
  };
}

function readDistribution(
  value: unknown,
  nodes: readonly ExtractedNode[],
  depth: number,
): ExtractedDistribution {
  demand(depth <= extractionLimits.depth, "distributions nested too deeply");
  const fields = record(value, "a distribution");
  const argument = (one: unknown) => readArgument(one, nodes, depth);
  const kwargs = Object.entries(record(fields.kwargs, "keywords"));
  demand(kwargs.length <= 32, "too many keywords");
  return {
    pymc: name(fields.pymc),
    args: list(fields.args, "arguments", 32).map(argument),
    kwargs: Object.fromEntries(kwargs.map(([key, one]) => [name(key), argument(one)])),
    shape: shapeOf(fields.shape),
  };
}

function readArgument(
  value: unknown,
  nodes: readonly ExtractedNode[],
  depth: number,
): ExtractedArgument {
  const fields = record(value, "an argument");
  switch (fields.kind) {
    case "none":
      return { kind: "none" };
    case "boolean":
      demand(typeof fields.value === "boolean", "a boolean that is none");
      return { kind: "boolean", value: fields.value };
    case "text":
      return { kind: "text", value: name(fields.value) };
    case "node":
      return { kind: "node", node: nodeIndex(fields.node, nodes.length) };
    case "distribution":
      return {
        kind: "distribution",
        distribution: readDistribution(fields.distribution, nodes, depth + 1),
      };
    case "list": {
      const items = list(fields.items, "items", 256);
      return { kind: "list", items: items.map((one) => readArgument(one, nodes, depth + 1)) };
    }
    default:
      throw new Violation("an argument of unknown kind");
  }
}

const mapArity = new Map<string, number>([
  ...unaryOps.map((op) => [op, 1] as const),
  ...binaryOps.map((op) => [op, 2] as const),
  ...ternaryOps.map((op) => [op, 3] as const),
]);

function readNode(
  fields: Fields,
  before: readonly ExtractedNode[],
  parameters: number,
): ExtractedNode {
  const op = name(fields.op);
  const args = list(fields.args, "arguments", 4096).map((at) => nodeIndex(at, before.length));
  const shape = shapeOf(fields.shape);
  const shapes = args.map((at) => before[at].shape);
  const arity = mapArity.get(op);
  if (arity === undefined) return readSpecialNode(op, fields, args, shapes, shape, parameters);
  demand(args.length === arity, `${op} with ${args.length} arguments`);
  const joint = broadcastShapes(...shapes);
  demand(joint !== undefined && sameShape(joint, shape), `${op} of a wrong shape`);
  return { op, args, shape };
}

function readSpecialNode(
  op: string,
  fields: Fields,
  args: readonly number[],
  shapes: readonly Shape[],
  shape: Shape,
  parameters: number,
): ExtractedNode {
  const size = sizeOf(shape);
  const count = (wanted: number) => demand(args.length === wanted, `${op} with other arguments`);
  switch (op) {
    case "constant": {
      count(0);
      const values = numbers(fields.values);
      demand(values.length === size, "a constant of another size than its shape");
      return { op, args, shape, values };
    }
    case "parameter":
      count(0);
      return { op, args, shape, parameter: whole(fields.parameter, 0, parameters - 1) };
    case "gather": {
      count(1);
      const index = list(fields.index, "index", extractionLimits.elements);
      demand(index.length === size, "an index of another size than its shape");
      const last = sizeOf(shapes[0]) - 1;
      return { op, args, shape, index: Int32Array.from(index, (at) => whole(at, -1, last)) };
    }
    case "reshape":
      count(1);
      demand(sizeOf(shapes[0]) === size, "a reshape to another size");
      return { op, args, shape };
    case "join":
      demand(args.length > 0 && shapes.reduce((sum, s) => sum + sizeOf(s), 0) === size, "a join");
      return { op, args, shape };
    default:
      count(op === "matmul" || op === "solve" ? 2 : 1);
      return readShapedNode(op, fields, args, shapes, shape);
  }
}

function readShapedNode(
  op: string,
  fields: Fields,
  args: readonly number[],
  [first, second]: readonly Shape[],
  shape: Shape,
): ExtractedNode {
  const wanted = (right: Shape) => demand(sameShape(shape, right), `${op} of a wrong shape`);
  const square = () => demand(first.length === 2 && first[0] === first[1], `${op} of no square`);
  switch (op) {
    case "sum":
    case "prod":
    case "max":
    case "min": {
      const axes = list(fields.axes, "axes", first.length).map((a) =>
        whole(a, 0, first.length - 1)
      );
      demand(axes.length > 0 && axes.every((a, i) => i === 0 || a > axes[i - 1]), "axes");
      wanted(first.filter((_, i) => !axes.includes(i)));
      return { op, args, shape, axes };
    }
    case "cumsum":
    case "cumprod":
    case "softmax":
    case "log_softmax":
      wanted(first);
      return { op, args, shape, axis: whole(fields.axis, 0, first.length - 1) };
    case "cholesky":
      square();
      wanted(first);
      return { op, args, shape };
    case "solve":
      square();
      demand(second.length === 2 && second[0] === first[0], "a solve of wrong shapes");
      demand(typeof fields.transposed === "boolean", "a solve without a direction");
      wanted(second);
      return { op, args, shape, transposed: fields.transposed };
    case "matmul":
      demand(first.length === 2 && second.length === 2 && first[1] === second[0], "a matmul");
      wanted([first[0], second[1]]);
      return { op, args, shape };
    default:
      throw new Violation(`an operation that does not exist: ${op}`);
  }
}

function record(value: unknown, what: string): Fields {
  demand(
    typeof value === "object" && value !== null && !Array.isArray(value),
    `${what}: no object`,
  );
  return value as Fields;
}

function list(value: unknown, what: string, most: number): readonly unknown[] {
  demand(Array.isArray(value), `${what}: no list`);
  demand(value.length <= most, `${what}: more than ${most}`);
  return value;
}

function whole(value: unknown, least: number, most: number): number {
  demand(Number.isSafeInteger(value), "a whole number is wanted");
  demand((value as number) >= least && (value as number) <= most, "a number out of range");
  return value as number;
}

function nodeIndex(value: unknown, count: number): number {
  return whole(value, 0, count - 1);
}

function name(value: unknown): string {
  demand(typeof value === "string" && value.length <= extractionLimits.name, "a name is wanted");
  return value;
}

function dimensions(value: unknown): readonly (string | null)[] {
  return list(value, "dims", extractionLimits.axes).map((one) => one === null ? null : name(one));
}

function shapeOf(value: unknown): Shape {
  const shape = list(value, "a shape", extractionLimits.axes)
    .map((extent) => whole(extent, 0, extractionLimits.elements));
  demand(sizeOf(shape) <= extractionLimits.elements, "an array that is too large");
  return shape;
}

const spelled: Readonly<Record<string, number>> = { inf: Infinity, "-inf": -Infinity, nan: NaN };

function numbers(value: unknown): Float64Array {
  return Float64Array.from(list(value, "values", extractionLimits.elements), number);
}

function number(value: unknown): number {
  if (typeof value === "string" && value in spelled) return spelled[value];
  demand(typeof value === "number", "a number is wanted");
  return value;
}
