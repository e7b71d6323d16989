/** Ten thousand steps of policies on TensorFlow.js leave as many tensors as the first ones do. */
import * as tf from "@tensorflow/tfjs-core";
import { createPolicy } from "../../src/gfn/policies/create_policy.ts";
import { keepsTensors, leakSubjects } from "./leak_work.ts";

for (const [config, environment] of [...leakSubjects("wasm", 4), ...leakSubjects("cpu", 4)]) {
  const label = `${config.kind} on ${config.backend}`;
  Deno.test(`ten thousand steps of the ${label} leave no tensor behind`, async () => {
    const policy = await createPolicy(config, environment, "leaks");
    await keepsTensors(policy, environment, () => tf.memory().numTensors);
  });
}
