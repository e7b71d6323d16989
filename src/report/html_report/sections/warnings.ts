/** Warnings to read before the answer is quoted, each with the decision it asks for. */
import { shellWords } from "../../../base/shell_words.ts";
import type { Answer } from "../../../answers/answer_schema.ts";
import { isMissing, type PageFacts } from "../facts.ts";
import { type Html, markup } from "../html.ts";
import { looPitVerdict } from "../pit.ts";
import { counted, listed, many, share, signed } from "../words.ts";

/** A warning and what has to be decided. */
interface Warning {
  readonly what: string;
  readonly decide: string;
}

/** All warnings, those of the data first. */
export function warningsOf(facts: PageFacts): Warning[] {
  const { answer } = facts.report;
  return [
    ...groupWarning(facts),
    ...(answer ? answerWarnings(answer, facts) : []),
    ...fitWarnings(facts),
    ...certificateWarnings(facts),
    ...facts.warnings.map(({ stage, message, times }) => ({
      what: `${stage ? `Stage ${stage}` : "Check"}${
        times > 1 ? ` (${many(times)} times)` : ""
      }: ${message}`,
      decide: "mend the cause, or say why it may stand.",
    })),
  ];
}

/** The section; that there is nothing to warn of is said too. */
export function warningsSection(facts: PageFacts): Html {
  const warnings = warningsOf(facts);
  const body = warnings.map(({ what, decide }) =>
    markup`<div class="warning">
<p>${what}</p>
<p class="decide">To decide: ${decide}</p></div>
`
  );
  return markup`<h2 id="warnings">What to decide before quoting this</h2>
${warnings.length > 0 ? body : markup`<p>Nothing: no check of this page found a fault.</p>`}`;
}

function groupWarning({ data, report: { answer } }: PageFacts): Warning[] {
  if (isMissing(data) || answer?.unit !== "row") return [];
  const groups = data.columns.filter(({ role }) => role === "group").map(({ name }) => name);
  if (groups.length === 0) return [];
  return [{
    what:
      `Rows belong to groups (${listed(groups)}), and single rows were left out: the scores say ` +
      "how well new rows of the same groups are predicted.",
    decide: 'is that the question, or new groups? For new groups set unit = "group" in the target.',
  }];
}

function answerWarnings(answer: Answer, { command, run }: PageFacts): Warning[] {
  const { complete, programs, scored, failed, unscored_prior: left, questions, winner } = answer;
  const flat = answer.prior_scaling.find(({ power }) => power === 0)?.tv ?? 0;
  const asked = questions.filter(({ answers }) => answers.length > 1);
  const close = asked.filter(({ difference }) => difference && difference.verdict !== "apart");
  const few = asked.filter(({ difference }) =>
    difference?.verdict === "apart" && !difference.reliable
  );
  const found: (Warning | false)[] = [
    !complete && {
      what:
        `${many(scored + failed)} of ${many(programs)} programs were executed; ${share(left)} of ` +
        "the probability before the data is not in this answer.",
      decide: `go on (the same command does: ${command} ${shellWords(run.argv)}), or say so.`,
    },
    failed > 0 && {
      what: `${counted(failed, "program")} could not be scored and ${
        failed === 1 ? "is" : "are"
      } left out${complete ? `; they held ${share(left)} of the prior` : ""}.`,
      decide: "are they models you believe in? Their faults: " +
        `${command} query --run ${run.runId} ` +
        "\"select status, class, diagnostics from execution where status <> 'ok'\"",
    },
    close.length > 0 && {
      what: `The data cannot tell the two likeliest answers apart for ${
        listed(close.map(({ question, difference }) =>
          `${question} (${difference!.answer} or ${difference!.other}, ${
            signed(difference!.elpd_difference)
          } ± ${difference!.error.toFixed(1)})`
        ))
      }.`,
      decide: "report the probabilities and not a winner, or collect more data.",
    },
    few.length > 0 && {
      what: `With ${counted(answer.rows, answer.unit)} the errors of differences are likely too ` +
        `small: ${listed(few.map(({ question }) => question))}.`,
      decide: "how much smaller an effect would still convince you?",
    },
    flat > 0.1 && {
      what: `The prior over programs matters: a flat one moves the answer by a total variation of ${
        flat.toFixed(2)
      }.`,
      decide:
        "is this prior yours? If so say why; if not, quote the column “after, flat prior” too.",
    },
    winner !== null && scored > 1 && winner.same_in_bootstraps < 0.5 && {
      what: `The likeliest program stays the likeliest in ${
        share(winner.same_in_bootstraps)
      } of bootstraps only; selection bias of its score: about ${
        winner.expected_bias.toFixed(1)
      } nats.`,
      decide: "quote answers to questions, or the average over models, and not one program.",
    },
    answer.bootstrap_tv === null && {
      what: "There are no intervals: the score is no sum over rows, or there is one row.",
      decide: "quote no probability without that remark.",
    },
    answer.engine_tv.median > 0.05 && {
      what: `The engine's Monte Carlo error moves the answer by a total variation of ${
        answer.engine_tv.median.toFixed(2)
      }.`,
      decide: "is a smaller error worth the time of a smaller schedule.target_mcse?",
    },
  ];
  return found.filter((one) => one !== false);
}

function fitWarnings({ fits, best: [best] }: PageFacts): Warning[] {
  const found: (Warning | false)[] = [];
  if (best && best.unresolved > 0) {
    found.push({
      what:
        `In the best program ${counted(best.unresolved, best.unit)} cannot be left out reliably ` +
        "(Pareto k too high, and no room to sample without them).",
      decide: "raise schedule.max_gradients, or use a noise with heavier tails.",
    });
  }
  if (!isMissing(fits)) {
    const verdict = fits.pit && looPitVerdict(fits.pit);
    found.push(
      verdict !== undefined && !verdict.inside && {
        what: `${verdict.sentence} The best of these programs is not yet a good one.`,
        decide: "which noise, spread or term is missing from the space?",
      },
    );
    const missed = fits.statistics.filter(({ p }) => p < 0.05 || p > 0.95);
    found.push(
      missed.length > 0 && {
        what: `Replicated data of the best program differ from yours in ${
          listed(missed.map(({ name }) => name))
        }.`,
        decide: "does that matter for your question? If so widen the space.",
      },
    );
  }
  return found.filter((one) => one !== false);
}

function certificateWarnings({ report: { certificate } }: PageFacts): Warning[] {
  return (certificate?.evaluations ?? []).flatMap(({ stage, verdict, remarks }) => [
    ...remarks.map((remark) => ({ what: `${stage}: ${remark}`, decide: "is that meant?" })),
    ...(verdict === "inconsistent" || verdict === "unknown"
      ? [{
        what: `${stage}: the policy is not certified (verdict: ${verdict}).`,
        decide: "evaluate it with a larger budget, or train longer, before using its samples.",
      }]
      : []),
  ]);
}
