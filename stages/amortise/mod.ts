/** Stage kind `amortise`: gradient steps of a policy for many data sets, inside a loop. */
import { defineStage } from "../../src/pipeline/contract/mod.ts";
import { lazyInstance } from "../common/lazy_instance.ts";
import { port, ports } from "../ports/mod.ts";
import { amortiseParams } from "./params.ts";

export default defineStage({
  kind: "amortise",
  version: 1,
  description: "Gradient steps of a policy for many data sets, on log rewards of their programs.",
  params: amortiseParams,
  inputs: {
    policy: port(ports.policy, "the policy to train, of kind amortised"),
    datasets: port(ports.datasets, "the data sets to learn from; those held out are not looked at"),
    questions: port(ports.environment, "which predictors are in, as simulate gives it"),
  },
  outputs: { policy: port(ports.policy, "the policy after the step") },
  random: true,
  tensors: true,
  open: (params) =>
    lazyInstance(async () => new (await import("./amortising.ts")).Amortising(params)),
});
