/** Surrogates as artifacts: the environment, the scored objects, and the parameters of the process. */
import { RewardSurrogate, type SurrogateJson } from "../../src/gfn/evaluation/mod.ts";
import type { DecodeContext } from "../../src/pipeline/contract/mod.ts";
import {
  environmentFromJson,
  type EnvironmentJson,
  environmentToJson,
} from "./environment_port.ts";
import { named } from "./scored_port.ts";
import type { Surrogate } from "./values.ts";

/** Content of the artifact; log rewards of −Infinity are named. */
export interface SurrogateArtifact {
  readonly environment: EnvironmentJson;
  readonly surrogate: Omit<SurrogateJson, "scored"> & {
    readonly scored: readonly (readonly [string, readonly number[], number | "-Infinity"])[];
  };
}

export function surrogateToJson(
  { environment, surrogate: { json } }: Surrogate,
): SurrogateArtifact {
  const scored = json.scored.map(([text, actions, value]) =>
    [text, actions, named(value)] as const
  );
  return { environment: environmentToJson(environment), surrogate: { ...json, scored } };
}

export async function surrogateFromJson(
  { environment: own, surrogate: json }: SurrogateArtifact,
  context: DecodeContext,
): Promise<Surrogate> {
  const environment = await environmentFromJson(own, context);
  const scored = json.scored.map(([text, actions, value]) =>
    [text, actions, Number(value)] as const
  );
  return { environment, surrogate: RewardSurrogate.fromJson(environment, { ...json, scored }) };
}
