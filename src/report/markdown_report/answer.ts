/** The part of the Markdown report that answers. */
import type { Answer, AnsweredQuestion } from "../../answers/answer_schema.ts";
import { openQuestions, wasScored } from "../../answers/mod.ts";
import { againstColumn } from "../against.ts";
import { number, percent } from "../format.ts";
import { plain, table } from "./table.ts";

/** The report of a run that ranked programs and evaluated no policy. */
export function answerReport(answer: Answer): string {
  const { run, programs, scored, models, rows, unit } = answer;
  const many = (n: number) => n.toLocaleString("en");
  const size = `${many(scored)} of ${many(programs)} programs, ${many(models)} models, ` +
    `${many(rows)} ${unit}s`;
  const head = run && `Run \`${run.run_id}\` of \`${run.pipeline}\`, seed ${run.seed}: ${size}.`;
  return [`# ${run?.name ?? "Answer"}`, head ?? size, ...answerSection(answer)].join("\n\n") + "\n";
}

/** Sentences, then a table for each question; the sections of a report. */
export function answerSection(answer: Answer): string[] {
  return [
    "## The answer",
    answer.sentences.map((sentence) => `- ${plain(sentence)}`).join("\n"),
    ...openQuestions(answer.questions).flatMap((
      one,
    ) => [`### ${plain(one.question)}`, questionTable(one)]),
    ...(answer.effects.length > 0 ? ["### Effects", effectTable(answer.effects)] : []),
    ...(answer.questions.length > 1 ? ["### Likeliest models", modelTable(answer)] : []),
  ];
}

function questionTable({ answers }: AnsweredQuestion): string {
  const rows = answers.map((one) => [
    plain(one.answer),
    percent(one.prior),
    wasScored(one) ? percent(one.target) : "not scored",
    between(one.whole_lo, one.whole_hi),
  ]);
  return table(["answer", "prior", "target", "90 % interval"], rows);
}

function effectTable(effects: Answer["effects"]): string {
  const { heads, cells } = againstColumn(effects);
  const rows = effects.map(({ term, mean, lo, hi, share }, e) => [
    ...[term, ...cells[e]].map(plain),
    ...[number(mean), `${number(lo)} … ${number(hi)}`, percent(share)],
  ]);
  return table(["term", ...heads, "mean", "90 %", "in models of"], rows);
}

function modelTable({ likeliest }: Answer): string {
  const share = (value: number | null) => value === null ? "" : percent(value);
  const rows = likeliest.map((one) => [
    plain(one.answers.join(", ")),
    percent(one.prior),
    percent(one.target),
    between(one.whole_lo, one.whole_hi),
    share(one.pseudo_bma_plus),
    share(one.stacking),
  ]);
  return table(["", "prior", "target", "90 % interval", "pseudo-BMA+", "stacking"], rows);
}

function between(lo: number | null, hi: number | null): string {
  return lo === null || hi === null ? "" : `${percent(lo)} … ${percent(hi)}`;
}
