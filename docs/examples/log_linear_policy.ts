/** A policy of one's own: logits and log flow are linear in the features of a state. */
import { definePolicy, InputError } from "sluice";

export default definePolicy({
  name: "log_linear",
  version: 1,
  create({ features, outputs }, { deviation = 0 }) {
    if (features === 0) {
      const message = "Cannot use log_linear: the environment describes no features";
      throw new InputError([{ code: "log_linear/features", severity: "error", message }]);
    }
    const size = features * outputs;
    return {
      size,
      initial: (random) =>
        Float32Array.from({ length: size }, () => Number(deviation) * (random.uniform() - 0.5)),
      outputs(weights, { count, features: x }) {
        const values = new Float64Array(count * outputs);
        for (let at = 0; at < values.length; at++) {
          const [state, k] = [Math.floor(at / outputs), at % outputs];
          for (let f = 0; f < features; f++) {
            values[at] += x[state * features + f] * weights[f * outputs + k];
          }
        }
        return values;
      },
      addGradient(_weights, { features: x }, force, gradient) {
        force.forEach((one, at) => {
          const [state, k] = [Math.floor(at / outputs), at % outputs];
          for (let f = 0; f < features; f++) {
            gradient[f * outputs + k] += one * x[state * features + f];
          }
        });
      },
    };
  },
});
