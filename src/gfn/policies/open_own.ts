/** Opening a policy of one's own, by the definition that its module exports. */
import { RandomStream } from "../../base/random.ts";
import { gather } from "../parameters/parameter_layout.ts";
import type { PolicyDefinition, PolicyTask } from "./define_policy.ts";
import { EngineNetwork } from "./engine_network.ts";
import type { Network } from "./network.ts";
import { ownLayout, ownNetwork } from "./own_network.ts";
import { OwnRows } from "./own_rows.ts";
import type { Opening } from "./policy_kind.ts";
import { checkFrozen } from "./trainable.ts";

/** Configuration of a policy of one's own in its file. */
export interface OwnConfig {
  readonly kind: "custom";
  readonly name: string;
  readonly version: number;
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly frozen?: readonly string[];
}

/** @throws Error if the definition is not among those that were loaded. */
export function openOwn(
  { name, version, parameters, frozen = [] }: OwnConfig,
  definitions: readonly PolicyDefinition[],
  { header: { actionNames = [], features, positions }, source }: Opening,
): Promise<Network> {
  const definition = definitions.find((one) => one.name === name && one.version === version);
  if (!definition) throw new Error(`The policy "${name}" (version ${version}) was not loaded`);
  const outputs = actionNames.length + 1;
  const task: PolicyTask = { actionNames, features, maxActions: positions, outputs };
  const network = definition.create(task, parameters);
  const slots = ownLayout(network);
  checkFrozen(slots, frozen);
  const first = typeof source === "string"
    ? network.initial(new RandomStream(source, "initialise"))
    : gather(slots, source);
  if ("outputs" in network) {
    return EngineNetwork.open(ownNetwork(definition, network, task), first, frozen);
  }
  return Promise.resolve(new OwnRows(definition, network, actionNames.length, first, frozen));
}
