/** The top of the page: the question, and the answer in three sentences. */
import type { Answer, AnsweredQuestion } from "../../../answers/answer_schema.ts";
import { openQuestions, verdictOf, wasScored } from "../../../answers/mod.ts";
import { questionMovedMost } from "../../answer.ts";
import { playedView } from "../../played.ts";
import { targetText } from "../../shares.ts";
import { verdictLines } from "../../verdict_words.ts";
import { responseOf } from "../data_facts.ts";
import { isMissing, type PageFacts } from "../facts.ts";
import { type Html, markup, type Part } from "../html.ts";
import { counted, listed, many, share, shareRange, tied } from "../words.ts";

/** Questions that the second sentence names. */
const mostNamed = 3;

/** Title, what was asked, and the run. */
export function titleSection(facts: PageFacts): Html {
  const { run } = facts;
  const commit = run.gitCommit ? `, commit ${run.gitCommit.slice(0, 10)}` : "";
  const { runId, pipeline, startedAt, seed, versions } = run;
  return markup`<h1>${headline(facts)}</h1>
<p class="asked">${askedSentence(facts)}</p>
<p class="facts">Run ${runId} of ${pipeline} (${startedAt} UTC), seed ${seed}, by Sluice ${
    versions.sluice ?? ""
  }${commit}.</p>
`;
}

/** `length of dugongs`, or the name of the run. */
function headline({ data, run, report }: PageFacts): string {
  const response = isMissing(data) ? undefined : responseOf(data)?.name;
  if (!response || !report.answer) return run.name;
  return run.name === "rank"
    ? `What explains ${response}?`
    : `${run.name}: what explains ${response}?`;
}

/** The question, in a sentence or two. */
function askedSentence({ report, data, params }: PageFacts): string {
  const { answer, certificate, played } = report;
  const rows = isMissing(data) ? "" : `${counted(data.rows, "row")} of ${data.name}`;
  const formula = params.get("stages.programs.formula");
  if (!answer) {
    const [first] = certificate?.evaluations ?? [];
    if (!first && played) {
      const names = played.map(({ experiment }) => experiment);
      return `Agents asked ${listed(names)} for rows; this page says who asked best.`;
    }
    const learnt = first ? `A policy learnt from ${many(first.trajectories)} trajectories` : "";
    return first
      ? `${learnt} to sample objects in proportion to their reward; this page says how close it came.`
      : "Programs were scored; this run has no answer to a question.";
  }
  const spelt = typeof formula === "string" ? ` The formula was ${formula}.` : "";
  const questions = openQuestions(answer.questions);
  const asked = questions.map(({ question, answers }) =>
    `${question} (${counted(answers.length, "answer")})`
  );
  const what = questions.length === 0
    ? ""
    : ` They answer ${counted(questions.length, "question")}: ${listed(asked)}.`;
  const which = `${counted(answer.programs, "program")}, each a Bayesian model of the data`;
  return `${which}, ${answer.programs === 1 ? "was" : "were"} scored on ` +
    `${rows || counted(answer.rows, answer.unit)}.${what}${spelt}`;
}

/** Three sentences with their intervals; proofs, where no question was asked. */
export function leadSection(facts: PageFacts): Html {
  const { answer, certificate, played = [] } = facts.report;
  const proved = (certificate?.evaluations ?? []).flatMap(verdictLines).map((line) => `${line}.`);
  const sentences: Part[] = answer
    ? [mainSentence(answer), otherSentence(answer), sureSentence(answer)]
    : proved.length > 0
    ? proved
    : played.flatMap((one) => playedView(one).sentences.slice(0, 1));
  const paragraphs = sentences.filter((one) => one !== undefined)
    .map((one) => markup`<p>${one}</p>\n`);
  return markup`<div class="lead" id="answer">
${paragraphs}</div>
`;
}

function mainSentence(answer: Answer): Part {
  const { questions } = answer;
  const asked = questionMovedMost(questions.filter(({ answers }) => answers.length > 1));
  if (!asked) return "There was one program, and nothing to choose.";
  const [first, second] = asked.answers.filter(wasScored);
  const held = `: ${targetText(first, share)}${intervalOf(first, "90 % interval ")}; its prior ` +
    `was ${share(first.prior)}.`;
  const next = second ? ` Next is ${second.answer} with ${targetText(second, share)}.` : "";
  return markup`<b>${asked.question}: ${first.answer}</b>${tied(held)}${next} ${
    tied(verdictOf(asked, answer))
  }`;
}

function otherSentence({ questions }: Answer): Part {
  const asked = questions.filter(({ answers }) => answers.length > 1);
  const main = questionMovedMost(asked);
  const others = asked.filter((one) => one !== main);
  if (others.length === 0) return undefined;
  const named = others.slice(0, mostNamed).map(({ question, answers: [first] }, i) => {
    const held = `${targetText(first, share)}${intervalOf(first, "")}, prior ${share(first.prior)}`;
    return markup`${i > 0 ? "; " : ""}<b>${question}: ${first.answer}</b> ${held}`;
  });
  const rest = others.length - named.length;
  return markup`${named}${rest > 0 ? `; ${rest} more questions below` : ""}.`;
}

function intervalOf(one: AnsweredQuestion["answers"][number], before: string): string {
  const range = shareRange(one.whole_lo, one.whole_hi);
  return range === "" ? "" : ` (${before}${range})`;
}

function sureSentence(
  { bootstrap_tv: tv, engine_tv: engine, prior_scaling: scaled, unit }: Answer,
) {
  const flat = scaled.find(({ power }) => power === 0)?.tv ?? 0;
  const prior = "a flat prior over programs";
  const noise = `the computation's own error by ${
    engine.median < 0.005 ? "less than 0.01" : engine.median.toFixed(2)
  }`;
  if (!tv) {
    return tied(
      `How far other data would move these probabilities is not known; ${prior} moves them by a ` +
        `total variation of ${flat.toFixed(2)}, ${noise}.`,
    );
  }
  const moved = `${tv.median.toFixed(2)} (90 % interval ${tv.lo.toFixed(2)} to ${
    tv.hi.toFixed(2)
  })`;
  return tied(
    `Other ${unit}s of the same kind would move these probabilities by a total variation of ${moved}, ` +
      `${prior} by ${flat.toFixed(2)}, ${noise}; 0 is no change, 1 the largest.`,
  );
}
