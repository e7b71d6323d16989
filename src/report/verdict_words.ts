/** Meanings of verdicts, in the words of reports. */
import type { Verdict } from "../base/verdicts.ts";
import type { CertificateEvaluation, CertificateExplorer } from "./certificate_schema.ts";
import { count, number, percent } from "./format.ts";

/** A sentence for each verdict. */
const meanings: Readonly<Record<Verdict, string>> = {
  exact: "every object was counted",
  consistent: "independent searches found nothing that the policy misses",
  bounded: "the policy is off by at least the bound below",
  inconsistent: "an explorer found what the policy misses; no divergence is claimed",
  unknown: "too little was found to say anything; a larger budget may tell",
};

/** The verdict and its bounds in lines of text; nothing where no policy was certified. */
export function verdictLines(
  { verdict, policy, not_counted: uncounted }: CertificateEvaluation,
): string[] {
  if (verdict === undefined) return [];
  const first = `Verdict: ${verdict}: ${meanings[verdict]}`;
  const value = (name: string) => policy[name] && Number(policy[name].value);
  const [lower, upper, logZ] = [value("tv_lower"), value("tv_upper"), value("log_z_lower")];
  if (verdict === "exact" || lower === undefined) return [first];
  const bounds = [
    `total variation at least ${number(lower, 3)} (${policy.tv_lower.method})`,
    ...(upper === undefined ? [] : [`at most ${number(upper, 3)}`]),
    ...(logZ === undefined ? [] : [`log Z at least ${number(logZ, 4)}`]),
  ];
  const noise = value("log_reward_mcse") ?? 0;
  const error = `log rewards as recorded, each ± ${number(noise, 2)}`;
  return [
    first,
    `${bounds.join("; ")}${noise > 0 ? `; ${error}` : ""}`,
    ...unseenLines(policy),
    ...uncounted ? [uncounted] : [],
  ];
}

/** Names the prior mass that no search scored, which the verdict does not cover. */
function unseenLines(policy: CertificateEvaluation["policy"]): string[] {
  const { unscored_prior: rest, unscored_objects: objects, unseen_prior: set } = policy;
  if (rest === undefined || set === undefined || Number(rest.value) === 0) return [];
  const prior = `${percent(Number(rest.value))} of the prior`;
  const where = objects
    ? `the ${Number(objects.value)} of ${objects.n} objects (${prior}) that were not scored`
    : `the ${prior} that was not scored`;
  const [all, most] = [Number(rest.value), Number(set.value)];
  const missed = `; regions of up to ${percent(most)} prior mass may be unseen by ` +
    `${count(set.n, "draw")} from the prior (95 %), with any reward`;
  return [`Not excluded: anything among ${where}${most < all ? missed : ""}`];
}

/** Headings of {@linkcode explorerRow}. */
export const explorerHead = [
  "explorer",
  "asks the policy",
  "asked",
  "log Z",
  "policy misses",
] as const;

/** One explorer as cells of a table. */
export function explorerRow(explorer: CertificateExplorer): string[] {
  const { name, consults_policy: asks, evaluations, reliable } = explorer;
  const { log_z: logZ, log_z_mcse: error = 0, missed, missed_mcse: missedError = 0 } = explorer;
  const found = `found ${percent(explorer.found_missed)}`;
  const estimated = missed === undefined
    ? ""
    : `, estimated ${percent(missed)} ± ${percent(missedError)}`;
  return [
    `${name.replaceAll("_", " ")}${reliable || asks ? "" : " (unreliable)"}`,
    asks ? "yes" : "no",
    `${evaluations}`,
    logZ === undefined ? "" : `${number(logZ, 4)} ± ${number(error, 2)}`,
    `${found}${estimated}`,
  ];
}
