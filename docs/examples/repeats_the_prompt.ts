/** A policy of one's own over a large vocabulary: one row of logits at a time, by `open`. */
import { definePolicy, type LegalActions } from "sluice";

const actionOf = (legal: LegalActions, k: number) => legal === "all" ? k : legal[k];

/** The logit of a token is a weight where the prompt begins with it, else 0. */
export default definePolicy({
  name: "repeats_the_prompt",
  version: 1,
  create: () => ({
    size: 1,
    initial: () => new Float32Array(1),
    open(weights, { prompts }) {
      let sum = 0;
      const isWanted = (i: number, token: number) => token === prompts[i].tokens[0];
      return {
        row(i, legal, out) {
          for (let k = 0; k < out.length; k++) {
            out[k] = isWanted(i, actionOf(legal, k)) ? weights[0] : 0;
          }
          return 0; // The log flow.
        },
        push: (i, legal, force) =>
          force.forEach((one, k) => sum += isWanted(i, actionOf(legal, k)) ? one : 0),
        addGradient: (gradient) => gradient[0] += sum,
      };
    },
  }),
});
