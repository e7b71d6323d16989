/** Policies as artifacts: a line of JSON on what they were trained on, then their own bytes. */
import { canonicalJson } from "../../src/base/canonical_json.ts";
import { isPolicyDefinition } from "../../src/gfn/policies/mod.ts";
import type { PolicyBackend } from "../../src/gfn/policies/built_in/mod.ts";
import type { DecodeContext } from "../../src/pipeline/contract/mod.ts";
import type { TrainedPolicy } from "./values.ts";

/** The first line of the artifact; `backend` is where the parameters were computed. */
interface Header extends Omit<TrainedPolicy, "policy"> {
  readonly backend: string;
}

/** Same parameters and same training counters, same bytes. */
export async function encodeTrainedPolicy(value: TrainedPolicy): Promise<Uint8Array> {
  const { policy: { backend }, ...training } = value;
  const header = `${canonicalJson({ ...training, backend })}\n`;
  const head = new TextEncoder().encode(header);
  const body = await value.policy.save();
  const bytes = new Uint8Array(head.length + body.length);
  bytes.set(head);
  bytes.set(body, head.length);
  return bytes;
}

export async function decodeTrainedPolicy(
  bytes: Uint8Array,
  { plugins, ask }: DecodeContext,
): Promise<TrainedPolicy> {
  const end = bytes.indexOf(10);
  const header = JSON.parse(new TextDecoder().decode(bytes.subarray(0, end))) as Header;
  const { backend, ...training } = header;
  const { loadPolicy } = await import("../../src/gfn/policies/built_in/mod.ts");
  const policy = await loadPolicy(bytes.slice(end + 1), {
    backend: tensorBackend(backend),
    definitions: [...plugins.values()].filter(isPolicyDefinition),
    ...(ask && { trainer: (request) => ask("trainer", { ...request }) }),
  });
  return { policy, ...training };
}

function tensorBackend(backend: string): PolicyBackend | undefined {
  return backend === "host" ? undefined : backend as PolicyBackend;
}
