/** Declarations of built-in environments: their parameters, and how they are made of them. */
import type { z } from "../../base/zod.ts";
import { readSettings, type Settings } from "../settings/read_settings.ts";
import type { Environment } from "./environment.ts";

/** An environment that a pipeline makes by its name. */
export interface BuiltInEnvironment<P extends z.ZodObject = z.ZodObject> {
  /** Name in pipelines, artifacts and tables. */
  readonly kind: string;
  /** One sentence. */
  readonly description: string;
  /** Name of its objects: `the grid`. */
  readonly called: string;
  /** Its parameters with their defaults, as a pipeline names them. */
  readonly parameters: P;
  /** The plain JSON of an artifact, for parameters that the schema has read. */
  specOf(parameters: Settings): unknown;
  /** The environment that an artifact holds. @throws InputError if a number is out of range. */
  fromSpec(spec: unknown): Environment;
}

/** Declaration in an environment's file; without `specOf` the parameters are the spec. */
interface BuiltInDefinition<P extends z.ZodObject, Spec, S> {
  /** Name in pipelines. */
  readonly kind: string;
  /** One sentence. */
  readonly description: string;
  /** Name of its objects. */
  readonly called: string;
  /** Its parameters with their defaults. */
  readonly parameters: P;
  /** The spec of these parameters. */
  readonly specOf?: (parameters: z.output<P>) => Spec;
  /** The environment of this spec. */
  readonly make: (spec: Spec) => Environment<S>;
}

/** Declares a built-in environment; a line in `registry.ts` makes it known. */
export function builtInEnvironment<P extends z.ZodObject, Spec, S>(
  { kind, description, called, parameters, specOf, make }: BuiltInDefinition<P, Spec, S>,
): BuiltInEnvironment<P> {
  return {
    kind,
    description,
    called,
    parameters,
    specOf: (given) => specOf ? specOf(given as z.output<P>) : given,
    fromSpec: (spec) => make(spec as Spec) as Environment,
  };
}

/**
 * The environment with these parameters, and defaults where they are silent.
 *
 * @throws InputError with every finding.
 */
export function environmentWith(builtIn: BuiltInEnvironment, given: Settings): Environment {
  const { kind, parameters } = builtIn;
  const reading = { what: `environment "${kind}"`, code: "environment/parameter" };
  return builtIn.fromSpec(builtIn.specOf(readSettings(parameters, given, reading)));
}
