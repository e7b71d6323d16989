/** The file of a policy for many data sets, by the name of one that ships or by its path. */
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { inputError } from "../../base/diagnostic.ts";
import { listed } from "../../base/listed.ts";
import { findSluiceHome } from "../../pipeline/project/mod.ts";

/** Policies that come with Sluice: the files of a folder of its own. */
function shippedPolicies(): string[] {
  const files = [...Deno.readDirSync(join(findSluiceHome().root, "data", "policies"))];
  return files.flatMap(({ name }) => /^(.+)\.safetensors$/.exec(name)?.[1] ?? []).sort();
}

/**
 * The path of a policy as a pipeline writes it, by the value of `--policy`.
 *
 * @throws InputError if there is neither such a file nor such a policy.
 */
export function policyPath(named: string): string {
  const shipped = shippedPolicies();
  if (shipped.includes(named)) return `sluice:data/policies/${named}.safetensors`;
  if (existsSync(named)) return resolve(named);
  const message = `Cannot use the policy ${JSON.stringify(named)}: there is no such file`;
  const hint =
    `policies that come with Sluice: ${listed(shipped)}; of your own: the path of a file ` +
    "that evaluate_amortised wrote";
  throw inputError("rank/policy", message, undefined, hint);
}

/** The name of a policy that comes with Sluice, by its path; undefined for a file of one's own. */
function nameOf(path: string): string | undefined {
  return /^sluice:data\/policies\/(.+)\.safetensors$/.exec(path)?.[1];
}

/** Families that share a policy with another. */
const shared: Readonly<Record<string, string>> = { bernoulli: "binomial" };

/** Whether a policy comes with Sluice for a family: `regression` itself was trained on `normal`. */
export function isTrainedOn(path: string, family: string): boolean {
  const name = nameOf(path);
  return name !== undefined && (family === "normal" || pathForFamily(path, family) !== path);
}

/**
 * The file of a family, beside one that ships: `regression_poisson` of `regression`. One of your own is
 * what was named.
 *
 * @param path As {@linkcode policyPath} gives it.
 */
export function pathForFamily(path: string, family: string): string {
  const name = nameOf(path);
  const own = `${name}_${shared[family] ?? family}`;
  return name !== undefined && shippedPolicies().includes(own) ? policyPath(own) : path;
}
