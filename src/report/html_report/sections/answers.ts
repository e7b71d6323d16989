/** Each question with its answers before and after the data, effects, and the likeliest models. */
import type { Answer, AnsweredQuestion } from "../../../answers/answer_schema.ts";
import { comparedTerm, effectLines, ratioColumn } from "../../against.ts";
import { answerText, partText, targetText } from "../../shares.ts";
import { mostDrawn, questionPicture } from "../../figures/answers.ts";
import { type Drawn, figure } from "../drawn.ts";
import { details, type Html, markup, tableOf } from "../html.ts";
import { counted, many, plain, shortRange, shortShare, tied } from "../words.ts";

/** All questions, then the answer in full sentences. */
export function answersSection(answer: Answer, drawn: Drawn): Html {
  const parts = answer.questions.map((one, i) =>
    one.answers.length > 1 ? questionPart(one, i, drawn) : undefined
  );
  const sentences = answer.sentences.map((sentence) =>
    markup`<li>${tied(sentence)}</li>
`
  );
  return markup`<h2 id="questions">Each question, before and after the data</h2>
<p class="how">The probability of an answer is that of all programs which give it. A program's
weight is its prior times exp(ELPD-LOO), which says how well it predicts each ${answer.unit} from
the others.</p>
<p class="how"><b>How to read the pictures.</b> The dot is the probability after the data. The bar is
its 90 % interval for other data of the same kind, by Bayesian bootstraps of the ${
    counted(answer.rows, answer.unit)
  } and
the error from fitted parameters, which they miss. The hollow diamond is the probability before the data.</p>
${parts}${details("The answer in full sentences", markup`<ul>${sentences}</ul>`)}
${effectsPart(answer, drawn)}${modelsPart(answer)}`;
}

function questionPart(one: AnsweredQuestion, place: number, drawn: Drawn): Html {
  const body = one.answers.map((given) => [
    given.answer,
    shortShare(given.prior),
    answerText(given, shortShare),
    shortRange(given.whole_lo, given.whole_hi),
    maybeShare(one.flat_prior[given.answer] ?? null),
  ]);
  const head = ["answer", "before", "after", "90 % interval", "after, flat prior"];
  const { name } = questionPicture(one, place);
  const more = one.answers.length - mostDrawn;
  const rest = more > 0
    ? markup`<p class="how">${counted(more, "less likely answer")} only in the numbers.</p>`
    : undefined;
  return markup`<h3>${one.question}</h3>
${figure(drawn, name, "bare")}${rest}${details("In numbers", tableOf(head, body))}
`;
}

function effectsPart(answer: Answer, drawn: Drawn): Html | undefined {
  const { effects } = answer;
  if (effects.length === 0) return undefined;
  const short = (value: number) => plain(Number(value.toPrecision(3)));
  const ratios = ratioColumn(effects, short);
  const body = effects.map(({ mean, lo, hi, share: held, ...one }, e) => [
    ...[comparedTerm(one), short(mean), `${short(lo)} to ${short(hi)}`],
    ...[...ratios.cells[e], partText(held, shortShare)],
  ]);
  const head = ["term", "mean", "90 % interval", ...ratios.heads, "target share"];
  return markup`<h2 id="effects">Effects</h2>
<p class="how">The effect of a term is averaged over the models that have it. Read it with the
probability of the term.${
    effects.some(({ against }) => against !== null)
      ? " The effect of a level of a category is its difference from the level in brackets."
      : ""
  }</p>
${figure(drawn, "effects")}
${details("In numbers", tableOf(head, body))}${
    effectLines(answer, shortShare).map((line) =>
      markup`<p class="how">${line}</p>
`
    )
  }`;
}

function modelsPart({ likeliest, questions, models }: Answer): Html | undefined {
  const charged = likeliest.some(({ literals }) => literals !== null && literals < 0);
  if (questions.length < 2 && !charged || likeliest.length < 2) return undefined;
  const body = likeliest.map((one) => [
    one.model,
    shortShare(one.prior),
    targetText(one, shortShare),
    shortRange(one.whole_lo, one.whole_hi),
    maybeShare(one.pseudo_bma_plus),
    maybeShare(one.stacking),
    ...(charged ? [one.literals === null ? "" : plain(Number(one.literals.toFixed(1)))] : []),
  ]);
  const weights = ["before", "after", "90 % interval", "pseudo-BMA+", "stacking"];
  const head = ["model", ...weights, ...(charged ? ["constants, nats"] : [])];
  return markup`<h3>The likeliest of ${many(models)} models</h3>
<p class="how">A model is one answer to each question. “After” is for judging which models are
plausible; stacking weights are for predicting, and may be 0 for a plausible model whose near copy
has them.${charged ? " A model is charged, in nats, for the digits of its constants." : ""}</p>
${tableOf(head, body)}`;
}

function maybeShare(value: number | null): string {
  return value === null ? "" : shortShare(value);
}
