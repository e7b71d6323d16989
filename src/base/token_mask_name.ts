/** A parameter that says which tokens may follow in a text. */
import { z } from "./zod.ts";

/** How masks are called. */
const tokenMaskNames = ["trie", "language", "none"] as const;

/**
 * The name of a mask. The runner finds such parameters by their format: a mask of the language brings
 * the rules of programs into every process of the pipeline that may meet its texts, and into no other.
 */
export function tokenMaskName(): z.ZodEnum<{ [name in (typeof tokenMaskNames)[number]]: name }> {
  return z.enum(tokenMaskNames).meta({ format: "token-mask" });
}
