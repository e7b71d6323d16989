/** Pictures of an answer: probabilities before and after the data, and effects, with intervals. */
import type { Answer, AnsweredQuestion } from "../../answers/answer_schema.ts";
import { comparedTerm } from "../against.ts";
import { answerText } from "../shares.ts";
import { faint, ink, main, other } from "./palette.ts";
import { brokenLabel, fileWord, frame, type Picture, stepOf } from "./picture.ts";
import { linesOf } from "./text_width.ts";

/** Answers that are drawn; the rest have no room, and little probability. */
export const mostDrawn = 12;

/** Letters of a label on one line: a third of the width is theirs. */
const lettersOf = (width: number) => Math.max(12, Math.floor(width / 17));

/** Labels in lines; two that would be the same are kept apart by their place. */
function labels(texts: readonly string[], width: number): string[] {
  const broken = texts.map((text) => linesOf(text, lettersOf(width)).join("\n"));
  return broken.map((text, i) => broken.indexOf(text) === i ? text : `${text} (${i + 1})`);
}

/** How the probability of each answer moved. */
export function questionPicture({ question, answers }: AnsweredQuestion, place: number): Picture {
  const shown = answers.slice(0, mostDrawn);
  return {
    name: `question_${place + 1}_${fileWord(question)}`,
    alt: shown.map((one) =>
      `${one.answer}: ${whole(one.prior)} before the data, ${answerText(one, whole)} after`
    ).join("; "),
    caption:
      "Dot: probability after the data. Bar: its 90 % interval, with other data of the same kind. " +
      "Hollow diamond: probability before the data.",
    draw: (width) => {
      const names = labels(shown.map(({ answer }) => answer), width);
      const values = shown.map((one, i) => ({
        answer: names[i],
        prior: one.prior,
        target: one.target,
        lo: one.whole_lo ?? one.target,
        hi: one.whole_hi ?? one.target,
        said: answerText(one, whole),
      }));
      const y = {
        field: "answer",
        type: "nominal" as const,
        sort: null,
        title: null,
        axis: { labelExpr: brokenLabel, ticks: false, grid: true },
      };
      const x = (field: string) => ({ field, type: "quantitative" as const });
      const scale = { domain: [0, 1] };
      const axis = { format: ".0%", values: [0, 0.25, 0.5, 0.75, 1], title: null };
      return {
        ...frame(width, stepOf(names)),
        data: { values },
        encoding: { y },
        layer: [
          {
            mark: { type: "rule", strokeWidth: 7, color: main, opacity: 0.3, strokeCap: "round" },
            encoding: { x: { ...x("lo"), scale, axis }, x2: { field: "hi" } },
          },
          {
            mark: { type: "point", shape: "diamond", size: 70, color: other, strokeWidth: 1.8 },
            encoding: { x: x("prior") },
          },
          {
            mark: { type: "point", filled: true, size: 80, color: main, opacity: 1 },
            encoding: { x: x("target") },
          },
          {
            mark: { type: "text", align: "right", dx: 58, fontSize: 13, color: ink },
            encoding: { x: { datum: 1 }, text: { field: "said", type: "nominal" } },
          },
        ],
      };
    },
  };
}

/** Effects, averaged over the models that have them. */
export function effectsPicture(effects: Answer["effects"]): Picture {
  return {
    name: "effects",
    alt: effects.map((one) => `${comparedTerm(one)}: ${one.mean} from ${one.lo} to ${one.hi}`)
      .join("; "),
    caption: "Dot: mean over the models that have the term, by their probability. Bar: 90 % " +
      "interval of posterior, models and bootstraps together. Line: no effect.",
    draw: (width) => {
      const names = labels(effects.map(comparedTerm), width);
      const values = effects.map(({ mean, lo, hi }, i) => ({ term: names[i], mean, lo, hi }));
      return {
        ...frame(width, stepOf(names)),
        data: { values },
        layer: [
          {
            mark: { type: "rule", color: faint, strokeWidth: 1.5 },
            encoding: { x: { datum: 0, type: "quantitative" } },
          },
          {
            mark: { type: "rule", strokeWidth: 7, color: main, opacity: 0.3, strokeCap: "round" },
            encoding: {
              y: yOf("term"),
              x: { field: "lo", type: "quantitative", title: null, axis: { tickCount: 5 } },
              x2: { field: "hi" },
            },
          },
          {
            mark: { type: "point", filled: true, size: 80, color: main, opacity: 1 },
            encoding: { y: yOf("term"), x: { field: "mean", type: "quantitative" } },
          },
        ],
      };
    },
  };
}

function yOf(field: string) {
  return {
    field,
    type: "nominal" as const,
    sort: null,
    title: null,
    axis: { labelExpr: brokenLabel, ticks: false, grid: true },
  };
}

/** Whole percents. */
function whole(share: number): string {
  const points = 100 * share;
  if (points > 0 && points < 0.5) return "< 1 %";
  if (points < 100 && points >= 99.5) return "> 99 %";
  return `${Math.round(points)} %`;
}
