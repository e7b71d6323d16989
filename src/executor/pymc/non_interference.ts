/** Holds two graphs of one program against each other: the response may not have shaped them. */
import { recogniseTransform, type ResponseTransform } from "../../engine/language/ir/mod.ts";
import { canonicalJson } from "../../base/canonical_json.ts";
import { isRecord } from "../../base/record.ts";

/** One graph, or why there is none that can be scored. */
type Comparison =
  | { readonly kind: "same"; readonly graph: unknown }
  | { readonly kind: "differs"; readonly code: string; readonly message: string }
  | { readonly kind: "violation"; readonly what: string };

/**
 * The graph, if both are equal everywhere but in the observed values, and those are the whole
 * placeholders, or one known function of all their numbers (Goguen and Meseguer 1982: a secret may
 * not change an observable).
 *
 * @param graphs output of an untrusted process, one for each placeholder.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { compareGraphs } from "./non_interference.ts";
 * const graph = (scale: number, value: number[]) => ({ scale, likelihood: { value } });
 * const placeholders = [[1, 2], [3, 4]];
 * const honest = [graph(1, [1, 2]), graph(1, [3, 4])];
 * assert.equal(compareGraphs(honest, placeholders).kind, "same");
 * const leaking = [graph(1.5, [1, 2]), graph(3.5, [3, 4])];
 * assert.equal(compareGraphs(leaking, placeholders).kind, "differs");
 * ```
 */
export function compareGraphs(
  graphs: unknown,
  placeholders: readonly (readonly number[])[],
): Comparison {
  if (!Array.isArray(graphs) || graphs.length !== placeholders.length) {
    return { kind: "violation", what: "not one graph for each placeholder" };
  }
  const parts = graphs.map(withoutObserved);
  if (parts.some((part) => !part)) {
    return { kind: "violation", what: "a graph without a likelihood" };
  }
  const observed = parts.map((part) => numbersOf(part!.value));
  if (observed.some((own) => !own)) return changedResponse;
  const transform = recogniseTransform(placeholders, observed as readonly (readonly number[])[]);
  if (!transform) return changedResponse;
  const texts = parts.map((part) => canonicalJson(part!.rest));
  if (texts.some((text) => text !== texts[0])) return dependsOnResponse;
  return { kind: "same", graph: observing(graphs[0], transform) };
}

/** The graph with what its response is a function of: said here, whatever the process printed. */
function observing(graph: unknown, transform: ResponseTransform): unknown {
  if (!isRecord(graph) || !isRecord(graph.likelihood)) return graph;
  const { transform: _, ...likelihood } = graph.likelihood;
  const known = transform.length === 0 ? likelihood : { ...likelihood, transform };
  return { ...graph, likelihood: known };
}

const changedResponse: Comparison = {
  kind: "differs",
  code: "lh/observed-not-canonical",
  message:
    "Cannot score the program: what is observed is not the response, whole, nor a function of " +
    "it that is known by its values: log, log1p, exp, square roots, powers, reciprocals, logits, times " +
    "and plus numbers; Sluice's own reader takes others (executor native)",
};

const dependsOnResponse: Comparison = {
  kind: "differs",
  code: "lh/protected-use-before-score",
  message: "Cannot score the program: the model depends on the response beyond its observation",
};

function withoutObserved(
  graph: unknown,
): { readonly value: unknown; readonly rest: unknown } | undefined {
  if (!isRecord(graph) || !isRecord(graph.likelihood)) return undefined;
  const { value, ...likelihood } = graph.likelihood;
  return { value, rest: { ...graph, likelihood } };
}

function numbersOf(value: unknown): readonly number[] | undefined {
  return Array.isArray(value) && value.every((one) => typeof one === "number") ? value : undefined;
}
