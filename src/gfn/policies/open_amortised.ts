/** Opening an amortised policy, with fresh parameters or those of a file. */
import { flowModel } from "../amortised/flow_model.ts";
import { growthQuestions } from "../amortised/growth/growth_questions.ts";
import { gather, initialise } from "../parameters/parameter_layout.ts";
import { EngineNetwork, type NetworkPlan } from "./engine_network.ts";
import { HostAdam } from "./host_adam.ts";
import { HostParameters } from "./host_parameters.ts";
import type { AmortisedConfig } from "./kinds/amortised.ts";
import type { Network } from "./network.ts";
import type { Opening } from "./policy_kind.ts";
import { type KeptFlows, ProgramEngine } from "./program_engine.ts";
import { checkFrozen } from "./trainable.ts";

/** The network of a configuration. */
export function openAmortised(
  { layers, width, hidden, frozen = [] }: AmortisedConfig,
  { header: { actions, environment }, source }: Opening,
): Promise<Network> {
  const shape = { layers, width, hidden };
  const space = environment === growthQuestions().digest ? "growth" : "regression";
  const model = flowModel(space, shape);
  const { slots } = model;
  checkFrozen(slots, frozen);
  const parameters = typeof source === "string" ? initialise(slots, source) : gather(slots, source);
  const plan: NetworkPlan<KeptFlows> = {
    kind: "amortised",
    outputSizes: { actions, backward: 0 },
    open(values, frozen) {
      const store = new HostParameters(slots, actions, values, frozen);
      const engine = new ProgramEngine(store, model, actions);
      return Promise.resolve({ store, engine, optimiser: () => new HostAdam(store) });
    },
  };
  return EngineNetwork.open(plan, parameters, frozen);
}
