/** Random streams of certificates, named by the digest of what is judged. */
import { createHash } from "node:crypto";
import type { RandomStream } from "../../src/base/random.ts";
import { digestOf } from "../../src/base/digest.ts";
import type { StageContext } from "../../src/pipeline/contract/mod.ts";
import type { Rewarded } from "../common/rewards_asked.ts";
import { targetToJson } from "../ports/target_port.ts";
import type { TrainedPolicy } from "../ports/values.ts";

/** A stream by its purpose, of one of several certificates. */
type JudgeStreams = (purpose: string, certificate?: number) => RandomStream;

/**
 * Streams that depend on the parameters of the policy, on the target and on the run's seed: they are
 * known when the policy is, and no sooner, so that no policy can be made for them. A reader's `seed`
 * gives others, which the author cannot know.
 */
export async function judgeStreams(
  context: StageContext,
  { policy }: TrainedPolicy,
  { environment, target }: Rewarded,
  seed?: string,
): Promise<JudgeStreams> {
  const hash = createHash("sha256");
  const held = target ? digestOf(targetToJson(target)) : environment.digest;
  hash.update(JSON.stringify([held, seed ?? null]));
  for await (const part of policy.saveParts()) hash.update(part);
  const judged = hash.digest("hex");
  return (purpose, certificate = 0) =>
    context.random(`${purpose} of ${judged}${certificate > 0 ? `, again ${certificate}` : ""}`);
}
