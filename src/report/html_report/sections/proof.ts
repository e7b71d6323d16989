/** How close the sampler came to its target: an appendix, where a policy was trained or measured. */
import type { Certificate, CertificateEvaluation } from "../../certificate_schema.ts";
import { answerHead, answerRows } from "../../answer_rows.ts";
import { fileWord } from "../../figures/picture.ts";
import { cell, short } from "../../markdown_report/table.ts";
import { meaningOf, subjectLabels } from "../../subjects.ts";
import { explorerHead, explorerRow, verdictLines } from "../../verdict_words.ts";
import { type Drawn, figure } from "../drawn.ts";
import { details, type Html, markup, tableOf } from "../html.ts";
import { many } from "../words.ts";

/** The appendix; undefined where nothing was proved. */
export function proofSection(certificate: Certificate | undefined, drawn: Drawn): Html | undefined {
  if (!certificate) return undefined;
  const { evaluations, course } = certificate;
  const training = course.length === 0 ? undefined : markup`<h3>As training went on</h3>
${figure(drawn, "course")}${details("In numbers", courseTable(course))}`;
  const evaluated = evaluations.map((one) => evaluationPart(one, drawn));
  return markup`<h2 id="proof">Appendix: how close the sampler came</h2>
<p class="how">A policy was trained to sample programs in proportion to their weight. Where all
programs were counted, the answer above does not depend on the policy.</p>
${evaluated}${training}`;
}

function evaluationPart(one: CertificateEvaluation, drawn: Drawn): Html {
  const how = one.exact ? ", counted over every object" : "";
  const answers = answerRows(one);
  const other = answers.length > 0 ? "answers of the policy" : "further measures";
  const what = one.policy.tv ? `divergence from the target${how}` : other;
  const name = fileWord(one.stage);
  return markup`<h3>${one.stage}: ${what}</h3>
<p>${many(one.trajectories)} trajectories, ${
    many(one.distinct_evaluations)
  } distinct evaluations.</p>
${verdictLines(one).map((line) => markup`<p>${line}.</p>`)}
${answers.length > 0 ? tableOf(answerHead, answers) : undefined}
${figure(drawn, `baselines_${name}`)}
${measuresPart(one)}
${explorers(one)}
${figure(drawn, `attribution_${name}`)}${figure(drawn, `lengths_${name}`)}`;
}

const measures = [
  ["tv", "total variation"],
  ["kl_target_policy", "KL(target‖policy), nats"],
  ["kl_policy_target", "KL(policy‖target), nats"],
  ["jsd", "Jensen–Shannon, nats"],
  ["lost_mass", "lost mass"],
  ["effective_programs", "effective number of objects"],
] as const;

function subjectsOf({ policy, baselines }: CertificateEvaluation) {
  const own = { kind: "policy" as const, name: "policy", measures: policy };
  const used = [own, ...baselines].filter((one) => measures.some(([name]) => one.measures[name]));
  const labels = subjectLabels(used, "long");
  return used.map((one, i) => ({ ...one, label: labels[i] }));
}

/** Measures of all subjects, and those of the policy alone; each where there are any. */
function measuresPart(one: CertificateEvaluation): Html {
  const names = new Set<string>(measures.map(([name]) => name));
  const others = Object.entries(one.policy).filter(([name]) => !names.has(name))
    .map(([name, measure]) => [name, cell(measure), measure.method]);
  const own = tableOf(["measure of the policy", "value", "method"], others);
  return markup`${
    subjectsOf(one).length > 0
      ? details("All measures", markup`${measureTable(one)}${legend(one)}`)
      : undefined
  }${others.length > 0 ? details("Further measures", own) : undefined}`;
}

/** A row per subject, a column per measure: that stays narrow. */
function measureTable(evaluation: CertificateEvaluation): Html {
  const subjects = subjectsOf(evaluation);
  const used = measures.filter(([name]) => subjects.some((one) => one.measures[name]));
  const body = subjects.map((
    one,
  ) => [one.label, ...used.map(([name]) => cell(one.measures[name]))]);
  return tableOf(["", ...used.map(([, label]) => label)], body);
}

function legend(evaluation: CertificateEvaluation): Html {
  const said = subjectsOf(evaluation).filter(({ kind }) => kind !== "policy")
    .map((one) => [one.label, meaningOf(one).replaceAll("`", "")])
    .filter(([, meaning]) => meaning !== "");
  return markup`<ul class="facts">${
    said.map(([label, meaning]) => markup`<li>${label}: ${meaning}</li>`)
  }</ul>`;
}

function explorers({ explorers = [] }: CertificateEvaluation): Html | undefined {
  if (explorers.length === 0) return undefined;
  return details("Explorers", tableOf(explorerHead, explorers.map(explorerRow)));
}

function courseTable(course: Certificate["course"]): Html {
  const body = course.map((point) => [
    `${point.stage}, step ${point.step}`,
    many(point.trajectories),
    many(point.distinct_evaluations),
    point.tv === undefined ? "" : short(point.tv),
    point.kl_target_policy === undefined ? "" : short(point.kl_target_policy),
  ]);
  const head = ["", "trajectories", "distinct evaluations", "TV", "KL(target‖policy)"];
  return tableOf(head, body);
}
