/** Tables of what a divergence is made of, and of published programs; each is empty without rows. */
import type { CertificateEvaluation } from "../certificate_schema.ts";
import { elpdName } from "./programs.ts";
import { code, plain, short, table } from "./table.ts";

/** The prefixes after which most of the divergences arises. */
export function attributionTable({ attribution }: CertificateEvaluation): string {
  if (attribution.length === 0) return "";
  const body = attribution.map(({ text, share, kl_target_policy, kl_policy_target }) => [
    code(text.trim().split("\n").pop()!),
    short(kl_target_policy),
    short(kl_policy_target),
    typeof share === "number" ? `${(100 * share).toFixed(1)} %` : share,
  ]);
  return table(["after", "KL(target‖policy)", "KL(policy‖target)", "share"], body);
}

/** Mass by number of actions, where there are several. */
export function lengthTable({ lengths }: CertificateEvaluation): string {
  if (lengths.length < 2) return "";
  const body = lengths.map(({ length, objects, target, policy }) => [
    `${length}`,
    objects.toLocaleString("en"),
    short(target),
    short(policy),
  ]);
  return table(["actions", "objects", "target", "policy"], body);
}

/** Mass on the objects of largest reward. */
export function modeTable({ modes }: CertificateEvaluation): string {
  if (modes.length === 0) return "";
  const body = modes.map(({ top, objects, target, policy, covered }) => [
    `${100 * top} %`,
    objects.toLocaleString("en"),
    short(target),
    short(policy),
    `${(100 * covered).toFixed(1)} %`,
  ]);
  return table(["best", "objects", "target", "policy", "policy ≥ target / 2"], body);
}

/** Published programs among all. */
export function referenceTable(
  references: NonNullable<CertificateEvaluation["references"]>,
  unit?: string,
): string {
  if (references.length === 0) return "";
  const body = references.map(({ name, rank, programs, target, policy, ...elpd }) => [
    plain(name),
    `${rank} of ${programs.toLocaleString("en")}`,
    elpd.elpd_loo === undefined ? "failed" : elpd.elpd_loo.toFixed(2),
    elpd.elpd_difference === undefined
      ? ""
      : `${short(elpd.elpd_difference)} ± ${short(elpd.elpd_difference_se ?? 0)}`,
    short(target),
    short(policy),
  ]);
  const head = ["", "rank", elpdName(unit), "difference to the likeliest", "target", "policy"];
  return table(head, body);
}
