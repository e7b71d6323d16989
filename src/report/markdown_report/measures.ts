/** Tables of measures: of the policy beside its baselines, of the policy alone, over training. */
import type { Certificate, CertificateEvaluation } from "../certificate_schema.ts";
import { histogramFloor, isHistogramFloor } from "../histogram_floor.ts";
import { meaningOf, subjectLabels } from "../subjects.ts";
import { cell, code, plain, short, table } from "./table.ts";

const rows = [
  ["tv", "total variation"],
  ["kl_target_policy", "KL(target‖policy), nats"],
  ["kl_policy_target", "KL(policy‖target), nats"],
  ["jsd", "Jensen–Shannon, nats"],
  ["elbo_gap", "ELBO gap, nats"],
  ["eubo_gap", "EUBO gap, nats"],
  ["lost_mass", "lost mass"],
  ["effective_programs", "effective number of objects"],
] as const;

/** The policy, and every baseline of which something is measured that is measured of it. */
function columnsOf({ policy, baselines }: CertificateEvaluation) {
  const own = { kind: "policy" as const, name: "policy", measures: policy };
  const used = [own, ...baselines]
    .filter((one) => !isHistogramFloor(one) && rows.some(([name]) => one.measures[name]));
  const labels = subjectLabels(used, "long");
  return used.map((subject, i) => ({ ...subject, label: plain(labels[i]) }));
}

/** Measures of the policy and of its baselines, a column each. */
export function baselineTable(evaluation: CertificateEvaluation): string {
  const columns = columnsOf(evaluation);
  const used = rows.filter(([name]) => columns.some(({ measures }) => measures[name]));
  if (used.length === 0) return "";
  const body = used.map(([name, label]) => [
    label,
    ...columns.map(({ measures }) => cell(measures[name])),
  ]);
  return table(["", ...columns.map(({ label }) => label)], body);
}

/** Definition of each baseline, and the floor of sampled distances. */
export function legend(evaluation: CertificateEvaluation): string {
  const lines = columnsOf(evaluation).filter(({ kind }) => kind !== "policy")
    .map((one) => [one.label, meaningOf(one)]).filter(([, meaning]) => meaning !== "")
    .map(([label, meaning]) => `- **${label}**: ${meaning}`).join("\n");
  const floor = histogramFloor(evaluation);
  return floor ? `${lines}\n\n${floor}` : lines;
}

/** Measures of the policy alone. */
export function otherMeasures({ policy }: CertificateEvaluation): string {
  const names = new Set<string>(rows.map(([name]) => name));
  const others = Object.entries(policy).filter(([name]) => !names.has(name));
  if (others.length === 0) return "";
  const body = others.map(([name, measure]) => [code(name), cell(measure), measure.method]);
  return table(["measure", "value", "method"], body);
}

/** Divergences as training went on. */
export function courseTable(course: Certificate["course"]): string {
  const body = course.map((point) => [
    point.stage,
    `${point.step}`,
    point.trajectories.toLocaleString("en"),
    point.distinct_evaluations.toLocaleString("en"),
    point.tv === undefined ? "" : short(point.tv),
    point.kl_target_policy === undefined ? "" : short(point.kl_target_policy),
  ]);
  const head = ["stage", "step", "trajectories", "distinct evaluations", "TV", "KL(target‖policy)"];
  return table(head, body);
}
