/** Ten thousand steps of policies on TensorFlow.js leave as many tensors as the first ones do. */
import assert from "node:assert/strict";
import * as tf from "@tensorflow/tfjs-core";
import { createPolicy } from "../../src/gfn/policies/mod.ts";
import { leakSubjects, trainerOf } from "./leak_work.ts";

for (const [config, environment] of [...leakSubjects("wasm", 4), ...leakSubjects("cpu", 4)]) {
  const label = `${config.kind} on ${config.backend}`;
  Deno.test(`ten thousand steps of the ${label} leave no tensor behind`, async () => {
    const policy = await createPolicy(config, environment, "leaks");
    const work = trainerOf(policy, environment);
    await work(20);
    const first = tf.memory().numTensors;
    await work(9980);
    assert.equal(tf.memory().numTensors, first);
    policy.dispose();
  });
}
