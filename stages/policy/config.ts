/** The parameters by which a pipeline describes a policy. */
import { z } from "../../src/base/zod.ts";
import {
  type BuiltInPolicyConfig,
  builtInPolicyKinds,
  ownPolicyParameters,
} from "../../src/gfn/settings/mod.ts";
import { modulePath } from "../../src/pipeline/contract/mod.ts";

const own = z.strictObject({
  kind: modulePath().describe("a module made with definePolicy"),
  ...ownPolicyParameters,
});

const builtIn = [...builtInPolicyKinds.values()].map(({ parameters }) =>
  parameters
) as unknown as readonly z.ZodType<BuiltInPolicyConfig>[];

/** A built-in kind, `{ kind = "table" }`, or the path of a policy of one's own. */
export const policyConfig = z.union([...builtIn, own]);

/** Parameters of a stage that makes a policy. */
export type PolicyParams = z.output<typeof policyConfig>;
