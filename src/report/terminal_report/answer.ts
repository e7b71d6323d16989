/** The part of a report that answers: probabilities with their intervals, and the answer in words. */
import { middleOf, openQuestions } from "../../answers/mod.ts";
import { onOneLine } from "../../base/printable.ts";
import type { Answer, AnsweredQuestion } from "../../answers/answer_schema.ts";
import { againstColumn, effectLines, ratioColumn } from "../against.ts";
import { labelledTable, number, percent, plainTable, tableWithTexts } from "../format.ts";
import { wrapped } from "../wrapped.ts";
import { answerText, partText, rangeText, targetText } from "../shares.ts";
import { heading, type Terminal } from "../terminal.ts";

/** Answers to one question that are listed; the rest is summed up. */
const mostAnswers = 8;
/** Models that are listed. */
const mostModels = 5;

/** Prints the answer: its questions, effects, likeliest models and sentences. */
export function printAnswer(given: Answer, terminal: Terminal): void {
  const answer = onOneLine(given);
  heading(terminal, `The answer: ${sizeOf(answer)}`);
  for (const question of openQuestions(answer.questions)) printQuestion(question, terminal);
  printEffects(answer, terminal);
  printModels(answer, terminal);
  heading(terminal, "How sure the answer is");
  for (const sentence of answer.sentences) terminal.out(wrapped(`- ${sentence}`, terminal.width));
}

/** `5,216 programs, 272 models over 4 questions, 27 rows`. */
function sizeOf({ programs, scored, models, questions, rows, unit, complete }: Answer): string {
  const many = (n: number, what: string) =>
    `${n.toLocaleString("en")} ${what}${n === 1 ? "" : "s"}`;
  const counted = complete ? many(programs, "program") : `${many(scored, "program")} of ` +
    programs.toLocaleString("en");
  const { length } = openQuestions(questions);
  const over = length > 0 ? `, ${many(models, "model")} over ${many(length, "question")}` : "";
  return `${counted}${over}, ${many(rows, unit)}`;
}

function printQuestion({ question, answers }: AnsweredQuestion, terminal: Terminal): void {
  const shown = answers.slice(0, mostAnswers);
  const rest = answers.slice(mostAnswers);
  const rows = shown.map((one) => [
    one.answer,
    percent(one.prior),
    answerText(one, percent),
    rangeText(one.whole_lo, one.whole_hi, percent),
  ]);
  const sum = (of: (one: (typeof rest)[number]) => number) =>
    rest.reduce((total, one) => total + of(one), 0);
  if (rest.length > 0) {
    const names = `${rest.length} others`;
    rows.push([names, percent(sum((one) => one.prior)), percent(sum(middleOf)), ""]);
  }
  const table = plainTable([question, "prior", "target", "90 % interval"], rows, [1, 2, 3]);
  terminal.out("");
  terminal.out(withBars(table, shown.map(({ target }) => target ?? 0), terminal.width));
}

/** The longest bar, in characters. */
const longestBar = 20;

/** Bars behind the lines of a table under its head, as long as the width of the terminal has room for. */
function withBars(table: string, shares: readonly number[], width: number): string {
  const lines = table.split("\n");
  const used = 2 + Math.max(...lines.map((line) => [...line].length));
  const room = Math.max(0, Math.min(longestBar, width - used));
  return lines.map((line, i) => {
    const bar = "█".repeat(Math.round(room * (shares[i - 1] ?? 0)));
    return bar === "" ? line : line.padEnd(used) + bar;
  }).join("\n");
}

function printEffects(answer: Answer, terminal: Terminal): void {
  const { effects } = answer;
  if (effects.length === 0) return;
  const { heads, cells } = againstColumn(effects);
  const ratios = ratioColumn(effects, number);
  const rows = effects.map(({ term, mean, lo, hi, share }, e) => [
    ...[term, ...cells[e]],
    ...[
      number(mean),
      `${number(lo)} … ${number(hi)}`,
      ...ratios.cells[e],
      partText(share, percent),
    ],
  ]);
  const head = ["effect", ...heads, "mean", "90 %", ...ratios.heads, "target share"];
  terminal.out("");
  terminal.out(labelledTable(head, rows, terminal.width));
  for (const line of effectLines(answer, percent)) terminal.out(wrapped(line, terminal.width));
}

function printModels({ likeliest, questions }: Answer, terminal: Terminal): void {
  if (questions.length < 2 || likeliest.length < 2) return;
  const share = (value: number | null) => value === null ? "" : percent(value);
  const rows = likeliest.slice(0, mostModels).map((one, i) => [
    String(i + 1),
    percent(one.prior),
    targetText(one, percent),
    rangeText(one.whole_lo, one.whole_hi, percent),
    share(one.pseudo_bma_plus),
    share(one.stacking),
  ]);
  const texts = likeliest.slice(0, mostModels).map(({ model }) => model);
  const head = ["model", "prior", "target", "90 % interval", "BMA+", "stacking"];
  const wide = plainTable([...head, ""], rows.map((row, i) => [...row, texts[i]]), [1, 2, 3, 4, 5]);
  const fits = wide.split("\n").every((line) => [...line].length <= terminal.width);
  terminal.out("");
  terminal.out(fits ? wide : tableWithTexts(head, rows, texts, terminal));
}
