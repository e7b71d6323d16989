/** From a family and named arguments to a distribution: parametrisation, shapes and domains, without a text. */
import type { DistributionProblem, DistributionRequest } from "./distribution_request.ts";
import type { FamilyDefinition, Form } from "../distributions/family.ts";
import { eventRankOf, families } from "../distributions/table.ts";
import type { GraphBuilder } from "../ir/builder.ts";
import type { NodeId } from "../ir/node.ts";
import type { Distribution } from "../ir/program.ts";
import { broadcastShapes, describeShape, type Shape } from "../ir/shape.ts";
import {
  componentBatches,
  rerouted,
  structureOf,
  withComponents,
} from "./distribution_structure.ts";
import { checkCanonical, checkGiven } from "./parameter_domains.ts";

/** A distribution, or the reasons why there is none. */
export type DistributionResult =
  | { readonly ok: true; readonly distribution: Distribution }
  | { readonly ok: false; readonly problems: readonly DistributionProblem[] };

/**
 * The distribution of a family with these arguments.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { GraphBuilder } from "../ir/builder.ts";
 * import { makeDistribution } from "./make_distribution.ts";
 *
 * const g = new GraphBuilder();
 * const given = new Map([["mu", g.scalar(0)], ["tau", g.scalar(4)]]);
 * const made = makeDistribution(g, { family: "normal", callee: "pm.Normal", given, shape: [3], rows: 0 });
 * assert.ok(made.ok);
 * assert.deepEqual(made.distribution.shape, [3]);
 * assert.equal(g.constantOf(made.distribution.args[1]), 0.5);
 * ```
 */
export function makeDistribution(g: GraphBuilder, asked: DistributionRequest): DistributionResult {
  return g.whileChecking(() => made(g, asked));
}

function made(g: GraphBuilder, asked: DistributionRequest): DistributionResult {
  const request = rerouted(asked);
  const definition = families[request.family];
  const form = chooseForm(definition, request);
  if ("code" in form) return { ok: false, problems: [form] };
  const problems = checkGiven(g, definition, request);
  if (problems.length > 0) return { ok: false, problems };
  const args = lifted(g, definition, canonicalArguments(g, definition, form, request));
  const structure = structureOf(g, request, args);
  if ("code" in structure) return { ok: false, problems: [structure] };
  const partial = { family: request.family, args, ...structure };
  const shape = shapeOfDistribution(g, definition, partial, request);
  if ("code" in shape) return { ok: false, problems: [shape] };
  const distribution = withComponents(g, { ...partial, shape: shape.shape });
  if ("code" in distribution) return { ok: false, problems: [distribution] };
  const outside = checkCanonical(g, definition, distribution, request);
  return outside.length > 0 ? { ok: false, problems: outside } : { ok: true, distribution };
}

/** Numbers that stand for vectors, where another argument determines their length. */
function lifted(
  g: GraphBuilder,
  { parameters, parameterRanks, signature }: FamilyDefinition,
  args: readonly NodeId[],
): readonly NodeId[] {
  const lengths = args.flatMap((node, i) =>
    parameterRanks[i] > 0 && g.shapeOf(node).length > 0 ? [g.shapeOf(node).at(-1) ?? 1] : []
  );
  const single = signature.names.includes("AR") ? 1 : 0; // PyMC takes one coefficient as a number
  const length = Math.max(single, ...lengths);
  return args.map((node, i) => {
    const number = parameterRanks[i] === 1 && g.shapeOf(node).length === 0;
    const free = signature.domains[parameters[i]] === "real" || parameters[i] === "sigma";
    return number && free && length > 0 ? g.broadcast(node, [length]) : node;
  });
}

/** The parametrisation that the given names belong to. */
function chooseForm(
  definition: FamilyDefinition,
  request: DistributionRequest,
): Form | DistributionProblem {
  const { forms, defaults } = definition.signature;
  const { given, callee } = request;
  const names = [...given.keys()];
  const fitting = forms.filter((form) => names.every((name) => form.names.includes(name)));
  const missing = (form: Form) =>
    form.names.filter((name) => !names.includes(name) && !Object.hasOwn(defaults, name));
  const complete = fitting.find((form) => missing(form).length === 0);
  if (complete) return complete;
  const hint = `${callee} takes ${forms.map((form) => form.names.join(" and ")).join(", or ")}`;
  if (fitting.length === 0) {
    const message = `Cannot check ${callee}: ${names.join(" and ")} do not go together`;
    return { code: "names/conflicting-arguments", message, hint };
  }
  const least = fitting.map(missing).reduce((a, b) => (b.length < a.length ? b : a));
  const message = `Cannot check ${callee}: missing ${least.join(" and ")}`;
  return { code: "names/missing-argument", message, hint };
}

function canonicalArguments(
  g: GraphBuilder,
  definition: FamilyDefinition,
  form: Form,
  { given }: DistributionRequest,
): readonly NodeId[] {
  const { defaults } = definition.signature;
  const entries = form.names.map((name) =>
    [name, given.get(name) ?? g.scalar(defaults[name])] as const
  );
  return form.canonical(g, Object.fromEntries(entries));
}

function batchOf(shape: Shape, rank: number): Shape {
  return shape.slice(0, shape.length - rank);
}

function shapeOfDistribution(
  g: GraphBuilder,
  definition: FamilyDefinition,
  distribution: Pick<Distribution, "family" | "args" | "sizes" | "components">,
  request: DistributionRequest,
): { readonly shape: Shape } | DistributionProblem {
  const { callee } = request;
  const ranks = definition.parameterRanks;
  for (const [i, node] of distribution.args.entries()) {
    if (g.shapeOf(node).length >= ranks[i]) continue;
    const argument = writtenName(definition, request, definition.parameters[i]);
    const wanted = ranks[i] === 1 ? "a vector" : "a matrix";
    const message = `Cannot use this ${argument} of ${callee}: wanted ${wanted}, found ` +
      describeShape(g.shapeOf(node));
    return { code: "shapes/parameter", argument, message };
  }
  const batches = distribution.args.map((node, i) => batchOf(g.shapeOf(node), ranks[i]));
  if (definition.support === "components") {
    for (const one of componentBatches(g, distribution)) batches.push(one);
  }
  const batch = batches.reduce<Shape | undefined>(
    (joint, one) => joint && broadcastShapes(joint, one),
    [],
  );
  if (!batch) return unbroadcast(definition, batches, callee);
  const event = eventShape(g, definition, distribution, request);
  if (request.shape) return fitShape(request, batch, event);
  if (request.size && `${broadcastShapes(batch, request.size)}` !== `${request.size}`) {
    return misfit(request, request.size, batch);
  }
  if (event.some((extent) => !(extent > 0))) return openEvent(request);
  return { shape: [...request.size ?? batch, ...event] };
}

/** The argument that a canonical parameter was written as: `cov` for `chol`. */
function writtenName(
  { signature }: FamilyDefinition,
  { given }: DistributionRequest,
  name: string,
): string {
  if (given.has(name)) return name;
  const domain = signature.domains[name];
  return [...given.keys()].find((key) => signature.domains[key] === domain) ?? name;
}

function unbroadcast(
  { parameters }: FamilyDefinition,
  batches: readonly Shape[],
  callee: string,
): DistributionProblem {
  const found = batches.map((shape, i) =>
    `${parameters[i] ?? "component"} ${describeShape(shape)}`
  );
  const message = `Cannot check ${callee}: its arguments do not broadcast (${found.join(", ")})`;
  return { code: "shapes/broadcast", message, hint: "shapes are compared from the last axis" };
}

/** Shape of one event; families of open length take it from `steps` or from the asked shape. */
function eventShape(
  g: GraphBuilder,
  definition: FamilyDefinition,
  distribution: Pick<Distribution, "family" | "args" | "sizes" | "components">,
  { shape, sizes }: DistributionRequest,
): Shape {
  const rank = eventRankOf(distribution);
  if (rank === 0 || definition.support === "components") {
    return rank === 0 ? [] : distribution.components?.[0].shape.slice(-rank) ?? [];
  }
  const known = definition.eventShape?.(g, distribution);
  if (known) return known;
  const steps = sizes?.get("steps");
  if (steps !== undefined) return [steps + (distribution.sizes?.[0] ?? 1)];
  return shape && shape.length >= rank ? shape.slice(-rank) : new Array<number>(rank).fill(0);
}

function openEvent({ callee }: DistributionRequest): DistributionProblem {
  const message = `Cannot check ${callee}: it does not say how long it is`;
  return { code: "shapes/variable", message, hint: "write shape=n or dims=" };
}

/** The asked shape must be the arguments' shape with axes put before it. */
function fitShape(
  request: DistributionRequest,
  batch: Shape,
  event: Shape,
): { shape: Shape } | DistributionProblem {
  const { shape = [] } = request;
  const asked = batchOf(shape, event.length);
  const found = [...batch, ...event];
  const fits = shape.length >= event.length &&
    `${shape.slice(asked.length)}` === `${event}` &&
    `${broadcastShapes(batch, asked)}` === `${asked}`;
  return fits ? { shape } : misfit(request, shape, found);
}

function misfit({ callee }: DistributionRequest, asked: Shape, found: Shape): DistributionProblem {
  const message = `Cannot give ${callee} ${describeShape(asked)}: its arguments have ` +
    describeShape(found);
  const hint = found.length === 0 ? undefined : "the arguments must broadcast to the shape";
  return { code: "shapes/variable", argument: "shape", message, hint };
}
