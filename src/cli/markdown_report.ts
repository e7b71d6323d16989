/** The report of a run as Markdown: what was proved, in tables, with figures beside it. */
import type { Certificate, CertificateMeasure } from "../ports/certificate.ts";
import type { Figure } from "./figures/specifications.ts";

type Evaluation = Certificate["evaluations"][number];

const rows = [
  ["tv", "total variation"],
  ["kl_target_policy", "KL(target‖policy)"],
  ["kl_policy_target", "KL(policy‖target)"],
  ["jsd", "Jensen–Shannon"],
  ["elbo_gap", "ELBO gap"],
  ["eubo_gap", "EUBO gap"],
  ["lost_mass", "lost mass"],
  ["effective_programs", "effective number of objects"],
] as const;

/** What each thing beside the policy is. */
const meaning: Readonly<Record<string, string>> = {
  uniform: "every legal action equally likely",
  prior: "the environment's own weights",
  initial: "the policy before any training",
  sft: "the policy after the warm start",
  floor: "a perfect sampler, measured from as many samples as training had",
  capacity: "the same network fitted to exact samples of the target",
  metropolis_hastings: "Metropolis–Hastings, as many distinct evaluations",
  sequential_monte_carlo: "sequential Monte Carlo, as many distinct evaluations",
  reinforce: "REINFORCE on a fresh network, the target as optimum, as many distinct evaluations",
  ppo: "PPO on a fresh network, the target as optimum, as many distinct evaluations",
  grpo: "GRPO on a fresh network, the target as optimum, as many distinct evaluations",
  target_noise: "the target against itself under a second seed of the engine",
};

/** The whole report; figures are linked relative to it. */
export function markdownReport(certificate: Certificate, figures: readonly Figure[]): string {
  const { run, evaluations } = certificate;
  const figure = (name: string) => figureOf(figures, name);
  return [
    `# ${run.name}`,
    `Run \`${run.run_id}\` of \`${run.pipeline}\`, seed ${run.seed}; ` +
    `Sluice ${run.versions.sluice}. Every number is in \`certificate.json\`.`,
    ...evaluations.flatMap((one) => evaluationSection(one, figure)),
    ...(figures.some(({ name }) => name === "course")
      ? ["## As training went on", figure("course"), courseTable(certificate)]
      : []),
  ].filter((part) => part !== "").join("\n\n") + "\n";
}

function figureOf(figures: readonly Figure[], name: string): string {
  const found = figures.find((one) => one.name === name);
  return found ? `![${found.caption}](${name}.svg)\n\n${found.caption}` : "";
}

function evaluationSection(one: Evaluation, figure: (name: string) => string): string[] {
  const name = one.stage.replaceAll(".", "_");
  const how = one.exact ? "counted over every object" : "estimated from samples";
  return [
    `## ${one.stage}: divergence from the target, ${how}`,
    `${one.trajectories.toLocaleString("en")} trajectories, ` +
    `${one.distinct_evaluations.toLocaleString("en")} distinct evaluations.`,
    ...one.remarks.map((remark) => `> **Mind:** ${remark}`),
    besideTable(one),
    legend(one),
    figure(`beside_${name}`),
    otherMeasures(one),
    ...(one.attribution.length > 0
      ? ["### Where it arises", attributionTable(one), figure(`attribution_${name}`)]
      : []),
    ...(one.lengths.length > 1
      ? ["### By length", lengthTable(one), figure(`lengths_${name}`)]
      : []),
    ...(one.references ? ["### Published programs among all", referenceTable(one.references)] : []),
    ...(one.modes.length > 0 ? ["### Objects of largest reward", modeTable(one)] : []),
  ];
}

/** Measures of the policy and of everything beside it that is measured in the same way. */
function besideTable({ policy, beside }: Evaluation): string {
  const columns: (readonly [string, Readonly<Record<string, CertificateMeasure>>])[] = [
    ["policy", policy],
    ...Object.entries(beside),
  ];
  const used = columns.filter(([, measures]) => rows.some(([name]) => measures[name]));
  const head = ["", ...used.map(([who]) => who.replaceAll("_", " "))];
  const body = rows.filter(([name]) => used.some(([, measures]) => measures[name]))
    .map(([name, label]) => [label, ...used.map(([, measures]) => cell(measures[name]))]);
  return table(head, body);
}

function cell(measure: CertificateMeasure | undefined): string {
  if (!measure) return "";
  const { value, mcse } = measure;
  return typeof mcse === "number" && mcse > 0 ? `${short(value)} ± ${short(mcse)}` : short(value);
}

/** Three significant digits; what is below rounding error is 0. */
export function short(value: number | string): string {
  if (typeof value === "string") return value === "Infinity" ? "∞" : value;
  const size = Math.abs(value);
  if (size < 1e-9) return "0";
  return size < 1e-3 || size >= 1e6 ? value.toExponential(1) : `${Number(value.toPrecision(3))}`;
}

function legend({ beside }: Evaluation): string {
  const known = Object.keys(beside).filter((name) => meaning[name]);
  return known.map((name) => `- **${name.replaceAll("_", " ")}**: ${meaning[name]}`).join("\n");
}

/** What the policy alone is measured by. */
function otherMeasures({ policy }: Evaluation): string {
  const names = new Set<string>(rows.map(([name]) => name));
  const others = Object.entries(policy).filter(([name]) => !names.has(name));
  if (others.length === 0) return "";
  const body = others.map(([name, measure]) => [`\`${name}\``, cell(measure), measure.method]);
  return table(["measure", "value", "method"], body);
}

function attributionTable({ attribution }: Evaluation): string {
  const body = attribution.map(({ text, share, kl_target_policy, kl_policy_target }) => [
    `\`${text.trim().split("\n").pop()!.replaceAll("|", "\\|")}\``,
    short(kl_target_policy),
    short(kl_policy_target),
    typeof share === "number" ? `${(100 * share).toFixed(1)} %` : share,
  ]);
  return table(["after", "KL(target‖policy)", "KL(policy‖target)", "share"], body);
}

function lengthTable({ lengths }: Evaluation): string {
  const body = lengths.map(({ length, objects, target, policy }) => [
    `${length}`,
    objects.toLocaleString("en"),
    short(target),
    short(policy),
  ]);
  return table(["actions", "objects", "target", "policy"], body);
}

function modeTable({ modes }: Evaluation): string {
  const body = modes.map(({ top, objects, target, policy, covered }) => [
    `${100 * top} %`,
    objects.toLocaleString("en"),
    short(target),
    short(policy),
    `${(100 * covered).toFixed(1)} %`,
  ]);
  return table(["best", "objects", "target", "policy", "given half their due"], body);
}

function referenceTable(references: NonNullable<Evaluation["references"]>): string {
  const body = references.map(({ name, rank, programs, target, policy, ...elpd }) => [
    name,
    `${rank} of ${programs.toLocaleString("en")}`,
    elpd.elpd_loo === undefined ? "failed" : elpd.elpd_loo.toFixed(2),
    elpd.elpd_difference === undefined
      ? ""
      : `${short(elpd.elpd_difference)} ± ${short(elpd.elpd_difference_se ?? 0)}`,
    short(target),
    short(policy),
  ]);
  const head = ["", "rank", "ELPD-LOO", "difference to the likeliest", "target", "policy"];
  return table(head, body);
}

function courseTable({ course }: Certificate): string {
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

function table(head: readonly string[], body: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  const rule = head.map((_, i) => (i === 0 ? "---" : "--:"));
  return [line(head), line(rule), ...body.map(line)].join("\n");
}
