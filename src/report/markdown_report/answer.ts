/** The part of the Markdown report that answers. */
import type { Answer, AnsweredQuestion } from "../../answers/answer_schema.ts";
import { openQuestions } from "../../answers/mod.ts";
import { againstColumn, effectLines, ratioColumn } from "../against.ts";
import { number, percent } from "../format.ts";
import { answerText, partText, rangeText, targetText } from "../shares.ts";
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
    ...(answer.effects.length > 0 ? ["### Effects", effectTable(answer)] : []),
    ...(answer.questions.length > 1 ? ["### Likeliest models", modelTable(answer)] : []),
  ];
}

function questionTable({ answers }: AnsweredQuestion): string {
  const rows = answers.map((one) => [
    plain(one.answer),
    percent(one.prior),
    answerText(one, percent),
    rangeText(one.whole_lo, one.whole_hi, percent),
  ]);
  return table(["answer", "prior", "target", "90 % interval"], rows);
}

function effectTable(answer: Answer): string {
  const { effects } = answer;
  const { heads, cells } = againstColumn(effects);
  const ratios = ratioColumn(effects, number);
  const rows = effects.map(({ term, mean, lo, hi, share }, e) => [
    ...[term, ...cells[e]].map(plain),
    ...[
      number(mean),
      `${number(lo)} … ${number(hi)}`,
      ...ratios.cells[e],
      partText(share, percent),
    ],
  ]);
  const head = ["term", ...heads, "mean", "90 %", ...ratios.heads, "target share"];
  return [table(head, rows), ...effectLines(answer, percent).map(plain)].join("\n\n");
}

function modelTable({ likeliest }: Answer): string {
  const share = (value: number | null) => value === null ? "" : percent(value);
  const rows = likeliest.map((one) => [
    plain(one.model),
    percent(one.prior),
    targetText(one, percent),
    rangeText(one.whole_lo, one.whole_hi, percent),
    share(one.pseudo_bma_plus),
    share(one.stacking),
  ]);
  return table(["", "prior", "target", "90 % interval", "pseudo-BMA+", "stacking"], rows);
}
