/** Environments as artifacts: their kind and the plain JSON from which they are rebuilt. */
import {
  builtInEnvironments,
  customEnvironment,
  type CustomSpec,
  type Environment,
  freeTokens,
  type FreeTokenSpec,
  isEnvironmentDefinition,
  type ThinkingSpec,
  thoughtful,
  tokensEnvironment,
  tokensKind,
  type TokenSpec,
} from "../../src/gfn/environments/mod.ts";
import { grammarEnvironment, type GrammarSpec } from "../../src/gfn/grammar/mod.ts";
import {
  type AnyQuestionsSpec,
  environmentOfQuestions,
  questionsKind,
} from "../../src/gfn/train/mod.ts";
import type { DecodeContext } from "../../src/pipeline/contract/mod.ts";
import { maskedSource } from "../environment/model_source.ts";

/** Content of an environment's artifact. */
export interface EnvironmentJson {
  readonly kind: string;
  readonly spec: unknown;
}

export function environmentToJson(environment: Environment): EnvironmentJson {
  return { kind: environment.kind, spec: environment.spec };
}

/** @throws internal, if the kind is not known or the code of one's own was not loaded. */
export async function environmentFromJson(
  { kind, spec }: EnvironmentJson,
  context: DecodeContext,
): Promise<Environment> {
  if (kind === "grammar") return grammarEnvironment(spec as GrammarSpec) as Environment;
  if (kind === tokensKind) return await fromTokens(spec as TokenSpec | FreeTokenSpec, context);
  if (kind === "custom") return ownEnvironment(spec as CustomSpec, context);
  if (kind === questionsKind) return environmentOfQuestions(spec as AnyQuestionsSpec);
  const builtIn = builtInEnvironments.get(kind);
  if (builtIn) return builtIn.fromSpec(spec);
  throw new TypeError(`internal: there is no environment of kind "${kind}"`);
}

/** @throws MissingPartError if texts are free and the model that reads them is not there. */
async function fromTokens(
  spec: (TokenSpec | FreeTokenSpec) & { readonly thinking?: ThinkingSpec },
  context: DecodeContext,
): Promise<Environment> {
  const { thinking, ...plain } = spec;
  if (thinking) return thoughtful(await fromTokens(plain, context), thinking) as Environment;
  const of = spec.of ? await environmentFromJson(spec.of, context) : undefined;
  if (spec.mask === "trie") return tokensEnvironment(of!, spec) as Environment;
  const { source } = await maskedSource(spec.sha256, spec.mask);
  return freeTokens(of, source, spec) as Environment;
}

function ownEnvironment({ name, version, parameters }: CustomSpec, context: DecodeContext) {
  const definition = [...context.plugins.values()].filter(isEnvironmentDefinition)
    .find((one) => one.name === name && one.version === version);
  if (definition) return customEnvironment(definition, parameters);
  throw new TypeError(`internal: the environment "${name}" (version ${version}) was not loaded`);
}
