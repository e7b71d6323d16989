/** Pictures of what was proved of a policy, made from a certificate. */
import type {
  Certificate,
  CertificateEvaluation,
  CertificateSpread,
} from "../certificate_schema.ts";
import { subjectLabels } from "../subjects.ts";
import { ticks } from "./data.ts";
import { main, other, soft } from "./palette.ts";
import { brokenLabel, fileWord, frame, type Picture, stepOf } from "./picture.ts";
import { linesOf } from "./text_width.ts";

/** Every picture that the certificate has the numbers for. */
export function proofPictures(certificate: Certificate): Picture[] {
  return [
    ...coursePicture(certificate),
    ...(certificate.spread ?? []).flatMap((spread) => spreadPicture(spread, certificate)),
    ...certificate.evaluations.flatMap((evaluation) => [
      ...baselinePicture(evaluation),
      ...attributionPicture(evaluation),
      ...lengthPicture(evaluation),
    ]),
  ];
}

const total = "total variation";
const kl = "KL(target‖policy), nats";

function coursePicture({ course, spread }: Certificate): Picture[] {
  const values = course.flatMap(({ tv, kl_target_policy, trajectories }) => [
    { trajectories, measure: total, value: tv },
    { trajectories, measure: kl, value: kl_target_policy },
  ]).filter(({ value }) => typeof value === "number" && value > 0);
  const domain = [total, kl].filter((name) => values.some(({ measure }) => measure === name));
  if (new Set(values.map(({ trajectories }) => trajectories)).size < 2) return [];
  return [{
    name: "course",
    alt: "How far the policy was from its target as training went on",
    caption: "How far the policy was from its target, by the trajectories that it had learnt from" +
      (spread ? ": the median of the seeds, and the band of all." : "."),
    draw: (width) => {
      const x = {
        field: "trajectories",
        type: "quantitative" as const,
        title: "trajectories",
        axis: { grid: false, tickCount: ticks(width), format: width < 500 ? "~s" : ",d" },
      };
      const y = {
        field: "value",
        type: "quantitative" as const,
        title: null,
        scale: { type: "log" as const },
        axis: logAxis(values.map(({ value }) => Number(value))),
      };
      const color = colourOf(domain);
      const ends = { y: { ...y, aggregate: "min" as const, stack: null } };
      const band = {
        mark: { type: "area" as const, opacity: 0.2 },
        encoding: { x, ...ends, y2: { field: "value", aggregate: "max" as const }, color },
      };
      const line = {
        mark: { type: "line" as const, point: { size: 30 }, strokeWidth: 2 },
        encoding: { x, y: { ...y, aggregate: "median" as const }, color },
      };
      return { ...frame(width, 240), data: { values }, layer: spread ? [band, line] : [line] };
    },
  }];
}

/** Total variation of each seed's policy, and the median. */
function spreadPicture(
  { stage, seeds, instances, policy: { tv: middle } }: CertificateSpread,
  { evaluations }: Certificate,
): Picture[] {
  const values = evaluations.filter((one) => instances.includes(one.stage))
    .map(({ policy }) => policy.tv?.value).filter((tv) => typeof tv === "number" && tv > 0)
    .map((tv) => ({ tv: Number(tv) }));
  if (!middle || values.length < 2) return [];
  return [{
    name: `spread_${fileWord(stage)}`,
    alt: `Total variation of ${seeds.length} seeds: ${values.map(({ tv }) => tv).join(", ")}`,
    caption: `Total variation from the target of each of ${seeds.length} seeds, and their median.`,
    draw: (width) => {
      const x = {
        field: "tv",
        type: "quantitative" as const,
        title: total,
        scale: { type: "log" as const },
        axis: logAxis(values.map(({ tv }) => tv)),
      };
      const point = { type: "point" as const, filled: true, size: 80, opacity: 0.6, color: main };
      const tick = { type: "tick" as const, thickness: 3, size: 30, color: other };
      return {
        ...frame(width, 50),
        layer: [
          { data: { values }, mark: point, encoding: { x } },
          { data: { values: [{ tv: middle.median }] }, mark: tick, encoding: { x } },
        ],
      };
    },
  }];
}

function colourOf(domain: readonly string[]) {
  const scale = { domain: [...domain], range: [main, other].slice(0, domain.length) };
  const legend = { title: null, columns: 1, symbolType: "circle" as const };
  return { field: "measure", type: "nominal" as const, scale, legend };
}

/** Lines at powers of ten, and between them where there are few. */
function logAxis(values: readonly number[]) {
  const [lo, hi] = [Math.min(...values), Math.max(...values)];
  const powers = Array.from({ length: 40 }, (_, i) => i - 30);
  const steps = Math.log10(hi / lo) > 2 ? [1] : [1, 2, 5];
  const at = powers.flatMap((power) => steps.map((step) => Number(`${step}e${power}`)));
  return { values: at.filter((one) => one >= lo / 10 && one <= hi * 10), format: "~g" };
}

/** Total variation of the policy and of its baselines; their intervals are over repetitions or seeds. */
function baselinePicture({ stage, policy, baselines }: CertificateEvaluation): Picture[] {
  const own = { kind: "policy" as const, name: "policy", measures: policy };
  const all = [own, ...baselines].filter(({ measures }) => Number(measures.tv?.value) > 0);
  if (all.length < 2) return [];
  const labels = subjectLabels(all, "long");
  const least = 1e-9;
  const values = all.map(({ kind, measures: { tv } }, i) => ({
    who: labels[i],
    kind,
    tv: Number(tv.value),
    lo: Math.max(least, Math.min(Number(tv.value), Number(tv.ci_lo))),
    hi: Math.max(Number(tv.value), Number(tv.ci_hi)),
  })).sort((a, b) => a.tv - b.tv);
  const ends = values.flatMap(({ tv, hi }) => [tv, hi]);
  const lowest = Math.min(...ends) / 2;
  return [{
    name: `baselines_${fileWord(stage)}`,
    alt: values.map(({ who, tv }) => `${who}: ${tv}`).join("; "),
    caption: "Total variation of the policy and its baselines from the target; where runs were " +
      "repeated, with 95 % intervals over the repetitions.",
    draw: (width) => {
      const broken = values.map((one) => ({
        ...one,
        lo: Math.max(one.lo, lowest),
        who: linesOf(one.who, Math.floor(width / 18)).join("\n"),
      }));
      const y = {
        field: "who",
        type: "nominal" as const,
        title: null,
        sort: null,
        axis: { grid: true, ticks: false, labelExpr: brokenLabel },
      };
      const x = {
        type: "quantitative" as const,
        title: total,
        scale: { type: "log" as const },
        axis: logAxis(ends),
      };
      const color = { condition: { test: "datum.kind === 'policy'", value: main }, value: soft };
      return {
        ...frame(width, stepOf(broken.map(({ who }) => who))),
        data: { values: broken },
        encoding: { y, color },
        layer: [
          {
            mark: { type: "rule", strokeWidth: 6, opacity: 0.3, strokeCap: "round" },
            encoding: { x: { field: "lo", ...x }, x2: { field: "hi" } },
          },
          {
            mark: { type: "point", filled: true, size: 80, opacity: 1 },
            encoding: { x: { field: "tv", ...x } },
          },
        ],
      };
    },
  }];
}

function attributionPicture({ stage, attribution }: CertificateEvaluation): Picture[] {
  const names = ["KL(target‖policy)", "KL(policy‖target)"];
  const parts = attribution.filter(({ kl_target_policy: a, kl_policy_target: b }) =>
    Number.isFinite(Number(a)) && Number.isFinite(Number(b))
  );
  if (parts.length === 0) return [];
  return [{
    name: `attribution_${fileWord(stage)}`,
    alt: "Which choices of the policy the divergences arise from",
    caption: "Nats of each divergence that arise in the choice after each of these prefixes.",
    draw: (width) => {
      const values = parts.flatMap(({ text, kl_target_policy, kl_policy_target }, i) => {
        const line = text.trim().split("\n").pop()!.trim() || "the beginning";
        const place = `${i + 1} ${linesOf(line, Math.floor(width / 17)).join("\n")}`;
        return [kl_target_policy, kl_policy_target].map((value, which) => ({
          place,
          measure: names[which],
          value: Number(value),
        }));
      });
      const lines = Math.max(...values.map(({ place }) => place.split("\n").length));
      return {
        ...frame(width, { step: Math.max(14, 8 * lines) }),
        data: { values },
        mark: { type: "bar" },
        encoding: {
          y: {
            field: "place",
            type: "nominal",
            title: null,
            sort: null,
            axis: { labelExpr: brokenLabel, ticks: false },
          },
          yOffset: { field: "measure", type: "nominal", sort: null },
          x: {
            field: "value",
            type: "quantitative",
            title: "nats",
            axis: { format: "~g", tickCount: Math.floor(ticks(width) / 1.5) },
          },
          color: colourOf(names),
        },
      };
    },
  }];
}

function lengthPicture({ stage, lengths }: CertificateEvaluation): Picture[] {
  if (lengths.length < 3) return [];
  const values = lengths.flatMap(({ length, target, policy }) => [
    { length, measure: "target", value: Number(target) },
    { length, measure: "policy", value: Number(policy) },
  ]);
  return [{
    name: `lengths_${fileWord(stage)}`,
    alt: "Probability of each number of actions, of target and policy",
    caption: "Probability of each number of actions, exit included.",
    draw: (width) => ({
      ...frame(width, 200),
      data: { values },
      mark: { type: "line", point: { size: 40 }, strokeWidth: 2 },
      encoding: {
        x: {
          field: "length",
          type: "quantitative",
          title: "actions",
          axis: { grid: false, format: "d", tickMinStep: 1, tickCount: ticks(width) },
          scale: { zero: false },
        },
        y: { field: "value", type: "quantitative", title: "probability", axis: { format: "~g" } },
        color: colourOf(["target", "policy"]),
      },
    }),
  }];
}
