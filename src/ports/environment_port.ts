/** Environments as artifacts: their kind and the plain JSON from which they are rebuilt. */
import type { Environment } from "../gfn/environment.ts";
import { grammarEnvironment } from "../gfn/grammar/environment.ts";
import type { GrammarSpec } from "../gfn/grammar/spec.ts";

/** What an environment's artifact holds. */
export interface EnvironmentJson {
  readonly kind: string;
  readonly spec: unknown;
}

export function environmentToJson(environment: Environment): EnvironmentJson {
  return { kind: environment.kind, spec: environment.spec };
}

/** @throws internal, if the kind is not known. */
export function environmentFromJson({ kind, spec }: EnvironmentJson): Environment {
  if (kind === "grammar") return grammarEnvironment(spec as GrammarSpec) as Environment;
  throw new TypeError(`internal: there is no environment of kind "${kind}"`);
}
