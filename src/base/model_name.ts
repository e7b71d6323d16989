/** A parameter that names a language model of the project. */
import { z } from "./zod.ts";

/**
 * The name of a language model that was added to the project. The runner finds such parameters by
 * their format: stages of the pipeline may then read the models, and digests enter fingerprints.
 */
export function modelName(): z.ZodString {
  return z.string().min(1).meta({ format: "model-name" });
}
