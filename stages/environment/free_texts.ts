/** Free texts before their model is opened: an environment that checks of other stages can query. */
import { type Environment, freeTokens } from "../../src/gfn/environments/mod.ts";
import type { LiftParams } from "./lift.ts";

/** As a model of two tokens, which reads nothing. */
const blank = {
  digest: "",
  vocabulary: 2,
  context: 2,
  end: 1,
  encode: () => [],
  decode: () => "",
  spell: () => "",
  mask: { legal: () => Int32Array.of(1) },
};

/**
 * An environment of the same kind, mask and author, for checks alone.
 *
 * @param of Whose objects the texts may be.
 */
export function withoutModel(
  of: Environment | undefined,
  { model, mask, most_tokens: most }: LiftParams & { readonly mask: "language" | "none" },
): Environment {
  return freeTokens(of, blank, {
    of: of ? { kind: of.kind, spec: of.spec } : null,
    mask,
    model,
    sha256: "",
    tokenizer: "",
    vocabulary: blank.vocabulary,
    end: blank.end,
    most,
  }) as Environment;
}
