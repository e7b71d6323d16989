/** Refuses keys that a kind of space lacks, and names that its lists may not hold. */
import { inputError } from "../../base/diagnostic.ts";
import { nearest } from "../../base/nearest.ts";
import type { SpaceSpec } from "./space_spec.ts";
import { type SpaceKeys, spaceKeys, type SpaceName } from "./space_names.ts";

/** Keys of a space beside its formula and priors. */
export type SaidKeys = Omit<SpaceSpec, "formula" | "priors">;

const lists = ["families", "curves", "kernels"] as const;

/** Names of families in other software, without signs and capitals. */
const namesElsewhere: ReadonlyMap<string, string> = new Map([
  ...["gaussian", "gauss", "ols"].map((name) => [name, "normal"] as const),
  ...["t", "student", "robust"].map((name) => [name, "student_t"] as const),
  ...["nb", "nbinom", "negbinom", "negbin", "negbinomial"]
    .map((name) => [name, "negative_binomial"] as const),
  ...["zip", "zipoisson", "zeroinflated"].map((name) => [name, "zero_inflated_poisson"] as const),
  ...["zinb", "zeroinflatednegbinomial"]
    .map((name) => [name, "zero_inflated_negative_binomial"] as const),
  ...["logistic", "logit", "binary"].map((name) => [name, "bernoulli"] as const),
  ...["multinomial", "multinom", "softmax", "mlogit"].map((name) => [name, "categorical"] as const),
  ...["zibeta", "zeroinflatedbeta"].map((name) => [name, "zero_inflated_beta"] as const),
  ["zibinomial", "zero_inflated_binomial"],
  ["betabinomial", "beta_binomial"],
  ["cumulative", "ordered_logistic"],
  ["probit", "ordered_probit"],
  ["cloglog", "bernoulli_cloglog"],
]);

/**
 * Refuses keys that the kind of space lacks, and names that its lists lack.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { checkSpaceKeys } from "./check_keys.ts";
 * checkSpaceKeys({ space: "growth", curves: ["linear"] });
 * assert.throws(() => checkSpaceKeys({ space: "regression", curves: ["linear"] }), /curves/);
 * ```
 *
 * @throws InputError `space/key` for a key that the space has not, or a name that is none of its.
 */
export function checkSpaceKeys(spec: SaidKeys): void {
  const keys: SpaceKeys = spaceKeys[spec.space];
  const said = ["families", "curves", "kernels", "period", "depth"] as const;
  const strange = said.find((key) => spec[key] !== undefined && keys[key] === undefined) ??
    (spec.margins === false && !keys.margins ? "margins" : undefined) ??
    (spec.effects === "all" && !keys.effects ? "effects" : undefined);
  if (strange) {
    const message = `Cannot make a space of kind ${spec.space}: it has no key ${strange}`;
    const hint = `its keys: ${["formula", "priors", ...Object.keys(keys)].join(", ")}`;
    throw inputError("space/key", message, undefined, hint);
  }
  for (const key of lists) checkNames(spec.space, key, spec[key], keys[key]);
}

function checkNames(
  space: SpaceName,
  key: (typeof lists)[number],
  names: readonly string[] | undefined,
  known: readonly string[] | undefined,
): void {
  const strange = names?.find((name) => !known?.includes(name));
  if (strange !== undefined) {
    const own = namesElsewhere.get(strange.toLowerCase().replace(/[^a-z0-9]/g, ""));
    const meant = own && known?.includes(own) ? own : nearest(strange, known ?? []);
    const message = `Cannot make a space of kind ${space}: ${key} has no "${strange}"`;
    const [other] = Object.entries(spaceKeys).find(([, own]) => own[key]?.includes(strange)) ?? [];
    const near = other
      ? `space = "${other}" has it (--space ${other}); `
      : meant
      ? `did you mean "${meant}"? `
      : "";
    const hint = `${near}known: ${known?.join(", ")}`;
    throw inputError("families/unknown", message, undefined, hint);
  }
  const twice = names?.find((name, i) => names.indexOf(name) !== i);
  if (twice === undefined) return;
  const message = `Cannot make a space of kind ${space}: "${twice}" stands twice in ${key}`;
  throw inputError("families/twice", message, undefined, "name each once");
}
