/** Scored sets as artifacts: ways and log rewards; a reward of 0 has a name, which JSON lacks. */
import { jsonPort } from "./json_codec.ts";
import type { ScoredSet } from "./values.ts";

type Named = number | "-Infinity";

/** What the artifact holds. */
interface ScoredJson {
  readonly rows: readonly (readonly [actions: readonly number[], logReward: Named])[];
}

/** Every reward that was asked for. */
export const scoredType = jsonPort<ScoredSet, ScoredJson>(
  "scored",
  ({ rows }) => ({ rows: rows.map(([actions, value]) => [actions, named(value)] as const) }),
  ({ rows }) => ({ rows: rows.map(([actions, value]) => [actions, Number(value)] as const) }),
);

/** @throws internal, for what is no log reward. */
export function named(value: number): Named {
  if (Number.isFinite(value)) return value;
  if (value === -Infinity) return "-Infinity";
  throw new TypeError(`internal: ${value} is no log reward`);
}
