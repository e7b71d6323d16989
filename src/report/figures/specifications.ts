/** What the figures of a report show, as Vega-Lite specifications made from a certificate. */
import type {
  Certificate,
  CertificateEvaluation,
  CertificateSpread,
} from "../certificate_schema.ts";
import { subjectLabels } from "../subjects.ts";
import type { TopLevelSpec } from "./svg.ts";

/** A figure by its file name, with the sentence under it. */
export interface Figure {
  readonly name: string;
  readonly caption: string;
  readonly specification: TopLevelSpec;
}

const schema = "https://vega.github.io/schema/vega-lite/v6.json";
const colours = ["#0969da", "#e16f24", "#8c959f", "#1a7f37", "#8250df"];

/** Every figure that the certificate has the numbers for. */
export function figures(certificate: Certificate): Figure[] {
  const drawn: Figure[] = [];
  if (certificate.course.length > 1) drawn.push(courseFigure(certificate));
  for (const spread of certificate.spread ?? []) {
    const of = certificate.evaluations.filter(({ stage }) => spread.instances.includes(stage));
    if (seedPoints(of).length > 1) drawn.push(spreadFigure(spread, of));
  }
  for (const evaluation of certificate.evaluations) {
    const { stage, attribution, lengths } = evaluation;
    if (baselinePoints(evaluation).length > 1) drawn.push(baselineFigure(stage, evaluation));
    if (attribution.length > 0) drawn.push(attributionFigure(stage, evaluation));
    if (lengths.length > 1) drawn.push(lengthFigure(stage, evaluation));
  }
  return drawn;
}

/** The TV of each instance. */
function seedPoints(evaluations: readonly CertificateEvaluation[]) {
  return evaluations.filter(({ policy }) => typeof policy.tv?.value === "number")
    .map(({ policy }) => ({ tv: Math.max(Number(policy.tv.value), 1e-9) }));
}

function spreadFigure(
  { stage, seeds, policy }: CertificateSpread,
  evaluations: readonly CertificateEvaluation[],
): Figure {
  const x = {
    field: "tv",
    type: "quantitative" as const,
    title: "total variation",
    scale: { type: "log" as const },
    axis: { format: "~g", tickCount: 6 },
  };
  return {
    name: `spread_${fileName(stage)}`,
    caption: `Total variation from the target of each of ${seeds.length} seeds, and their median.`,
    specification: {
      $schema: schema,
      width: 460,
      height: 60,
      layer: [
        {
          data: { values: seedPoints(evaluations) },
          mark: { type: "point", filled: true, size: 90, opacity: 0.6, color: colours[1] },
          encoding: { x },
        },
        {
          data: { values: [{ tv: policy.tv.median }] },
          mark: { type: "tick", thickness: 3, size: 40, color: colours[0] },
          encoding: { x },
        },
      ],
    },
  };
}

function courseFigure({ course, spread }: Certificate): Figure {
  // Where training soon knows every object, evaluations tell nothing apart; trajectories do, and
  // they are the same for all seeds.
  const saturated = spread !== undefined ||
    course[0].distinct_evaluations === course[course.length - 1].distinct_evaluations;
  const x = saturated ? "trajectories" as const : "distinct_evaluations" as const;
  const axis = saturated ? "trajectories" : "distinct evaluations";
  const rows = course.flatMap(({ tv, kl_target_policy, ...point }) => [
    { x: point[x], measure: "TV", value: tv },
    { x: point[x], measure: "KL(target‖policy)", value: kl_target_policy },
  ]).filter(({ value }) => typeof value === "number" && value > 0);
  const of = spread ? "; the line is the median of the seeds, the band all of them" : "";
  const encoding = {
    x: { field: "x", type: "quantitative" as const, title: axis },
    color: measureColour(["TV", "KL(target‖policy)"]),
  };
  const y = { field: "value", type: "quantitative" as const, title: null };
  const log = { scale: { type: "log" as const } };
  return {
    name: "course",
    caption: `Divergence from the target against ${axis}, as training went on${of}.`,
    specification: {
      $schema: schema,
      width: 460,
      height: 220,
      data: { values: rows },
      layer: [
        ...spread
          ? [{
            mark: { type: "area" as const, opacity: 0.2 },
            encoding: {
              ...encoding,
              y: { ...y, ...log, aggregate: "min" as const, stack: null },
              y2: { field: "value", aggregate: "max" as const },
            },
          }]
          : [],
        {
          mark: { type: "line", point: true },
          encoding: { ...encoding, y: { ...y, ...log, aggregate: "median" } },
        },
      ],
    },
  };
}

function measureColour(domain: readonly string[]) {
  const scale = { domain: [...domain], range: colours.slice(0, domain.length) };
  return { field: "measure", type: "nominal" as const, title: null, scale };
}

/** The TV of the policy and of its baselines. */
function baselinePoints({ policy, baselines }: CertificateEvaluation) {
  const own = { kind: "policy" as const, name: "policy", measures: policy };
  const all = [own, ...baselines].filter(({ measures }) => typeof measures.tv?.value === "number");
  const labels = subjectLabels(all, "long");
  return all.map(({ kind, measures }, i) => ({
    who: labels[i],
    kind,
    tv: Math.max(Number(measures.tv.value), 1e-9),
  }));
}

function baselineFigure(stage: string, evaluation: CertificateEvaluation): Figure {
  return {
    name: `baselines_${fileName(stage)}`,
    caption: "Total variation from the target: of the policy, and of its baselines; searches and " +
      "trained networks at as many distinct evaluations.",
    specification: {
      $schema: schema,
      width: 460,
      height: { step: 20 },
      data: { values: baselinePoints(evaluation) },
      mark: { type: "point", filled: true, size: 90, opacity: 1 },
      encoding: {
        y: { field: "who", type: "nominal", title: null, sort: "x", axis: { grid: true } },
        x: {
          field: "tv",
          type: "quantitative",
          title: "total variation",
          scale: { type: "log" },
          axis: { format: "~g", tickCount: 6 },
        },
        color: {
          condition: { test: "datum.kind === 'policy'", value: colours[1] },
          value: colours[2],
        },
      },
    },
  };
}

function attributionFigure(stage: string, { attribution }: CertificateEvaluation): Figure {
  const values = attribution.flatMap(({ text, kl_target_policy, kl_policy_target }) => [
    { place: clip(text), measure: "KL(target‖policy)", value: kl_target_policy },
    { place: clip(text), measure: "KL(policy‖target)", value: kl_policy_target },
  ]);
  return {
    name: `attribution_${fileName(stage)}`,
    caption: "Where the divergences arise: the choice made after each of these prefixes, in nats.",
    specification: {
      $schema: schema,
      width: 460,
      height: { step: 12 },
      data: { values },
      mark: { type: "bar" },
      encoding: {
        y: {
          field: "place",
          type: "nominal",
          title: null,
          sort: null,
          axis: { labelLimit: 260 },
        },
        yOffset: { field: "measure", type: "nominal", sort: null },
        x: { field: "value", type: "quantitative", title: "nats", axis: { format: "~g" } },
        color: measureColour(["KL(target‖policy)", "KL(policy‖target)"]),
      },
    },
  };
}

function lengthFigure(stage: string, { lengths }: CertificateEvaluation): Figure {
  const values = lengths.flatMap(({ length, target, policy }) => [
    { length, measure: "target", value: target },
    { length, measure: "policy", value: policy },
  ]);
  return {
    name: `lengths_${fileName(stage)}`,
    caption: "Probability of each number of actions, exit included.",
    specification: {
      $schema: schema,
      width: 460,
      height: 160,
      data: { values },
      mark: { type: "bar" },
      encoding: {
        x: { field: "length", type: "ordinal", title: "actions" },
        xOffset: { field: "measure", type: "nominal", sort: null },
        y: { field: "value", type: "quantitative", title: null },
        color: measureColour(["target", "policy"]),
      },
    },
  };
}

function clip(text: string): string {
  const line = text.trim().split("\n").pop()!;
  return line.length > 60 ? `…${line.slice(-59)}` : line;
}

/** The part of a figure's name that says of which stage it is. */
export function fileName(stage: string): string {
  return stage.replaceAll(/[.[]/g, "_").replaceAll("]", "");
}
