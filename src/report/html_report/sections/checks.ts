/** Whether the best program could have made the data, and which rows it hangs on. */
import { looPitVerdict } from "../pit.ts";
import { rowColumns, shownValue } from "../data_facts.ts";
import { type Drawn, figure } from "../drawn.ts";
import { type BestProgram, isMissing, type PageFacts, type StatisticFacts } from "../facts.ts";
import { type Html, markup, tableOf } from "../html.ts";
import { counted, many, plain, signed } from "../words.ts";
import { missingNote } from "./missing.ts";

/** Posterior predictive checks and LOO-PIT of the best program. */
export function checksSection(facts: PageFacts, drawn: Drawn): Html | undefined {
  const { fits, best: [best] } = facts;
  if (!best) return undefined;
  const { features } = best;
  const head = markup`<h2 id="checks">Could the best program have made these data?</h2>
<p class="how">The best program is the likeliest one: ${features.join(", ")}. This
part is about that program alone.</p>
`;
  if (isMissing(fits)) return markup`${head}${missingNote(fits)}`;
  const pit = fits.pit && looPitVerdict(fits.pit);
  return markup`${head}
<h3>Replicated data</h3>
${
    drawn.has("replicated_data") ? figure(drawn, "replicated_data") : missingNote({
      why: "Replicated data are missing: no draws of the program were possible.",
    })
  }
${fits.statistics.length > 0 ? statisticsTable(fits.statistics) : undefined}
<h3>Each row, predicted from the others (LOO-PIT)</h3>
${
    pit ? markup`<p>${pit.sentence}</p>${figure(drawn, "loo_pit")}` : missingNote({
      why: "LOO-PIT values are missing: the program could not be scored again.",
    })
  }`;
}

function statisticsTable(statistics: readonly StatisticFacts[]): Html {
  const words: Readonly<Record<string, string>> = {
    mean: "mean",
    sd: "standard deviation",
    min: "smallest value",
    max: "largest value",
    zeros: "share of zeros",
  };
  const body = statistics.map(({ name, observed, predicted, p }) => [
    words[name] ?? name,
    plain(Number(observed.toPrecision(4))),
    plain(Number(predicted.toPrecision(4))),
    p.toFixed(2),
    p < 0.05 || p > 0.95 ? "missed" : "met",
  ]);
  const head = ["of the response", "observed", "replicated", "larger in", ""];
  return markup`${tableOf(head, body, new Set([0, 4]))}
<p class="how">“Larger in” is the share of replicated data sets with a larger value; near 0 or 1 the
model does not reproduce the data.</p>`;
}

/** Rows in the table of influence. */
const mostRows = 6;

/** Rows that decide between answers, and rows that the best posterior hangs on. */
export function influenceSection(facts: PageFacts, drawn: Drawn): Html | undefined {
  const { deciding, best: [best] } = facts;
  if (!best && !deciding) return undefined;
  const unit = best?.unit === "group" ? "group" : "row";
  return markup`<h2 id="influence">Influential ${unit}s</h2>
${
    deciding
      ? markup`<h3>What decides the question “${deciding.question}”</h3>${
        figure(drawn, `deciding_${unit}s`)
      }`
      : undefined
  }
${best ? influencePart(facts, best, unit, drawn) : undefined}`;
}

function influencePart(facts: PageFacts, best: BestProgram, unit: string, drawn: Drawn): Html {
  const { paretoK, goodK, pointwise, unresolved } = best;
  const high = goodK === null ? 0 : paretoK.filter((k) => k > goodK).length;
  const said = paretoK.length === 0
    ? "The best program was scored without importance sampling, so there is no Pareto k."
    : high === 0
    ? `No ${unit} has a Pareto k above ${
      goodK?.toFixed(2)
    }: leaving one out changes the posterior ` +
      "of the best program little, and its score is reliable."
    : `${counted(high, unit)} of ${many(paretoK.length)} ${
      high === 1 ? "has" : "have"
    } a Pareto k ` +
      `above ${goodK?.toFixed(2)}; ${
        unresolved === 0
          ? "their terms were computed exactly, by sampling without them."
          : `${unresolved} of their terms rest on unreliable estimates.`
      }`;
  return markup`<h3>Influence on the best program's posterior</h3>
<p>${said}</p>
${figure(drawn, "pareto_k")}
${pointwise.length > 0 ? surprisesTable(facts, best, unit) : undefined}`;
}

/** The rows that were predicted worst. */
function surprisesTable(
  { data }: PageFacts,
  { pointwise, paretoK }: BestProgram,
  unit: string,
): Html {
  const order = [...pointwise.keys()].sort((a, b) => pointwise[a] - pointwise[b] || a - b);
  const columns = isMissing(data) || unit === "group" || pointwise.length !== data.rows
    ? []
    : rowColumns(data).slice(0, 4);
  const body = order.slice(0, mostRows).map((i) => [
    `${i + 1}`,
    ...columns.map((column) => {
      const shown = shownValue(column, column.values[i]);
      return typeof shown === "number" ? plain(shown) : shown;
    }),
    signed(pointwise[i], 2),
    paretoK[i] === undefined ? "" : signed(paretoK[i], 2),
  ]);
  const head = [unit, ...columns.map(({ name }) => name), "log score", "Pareto k"];
  return markup`<p>The ${unit}s that it predicts worst from the others:</p>${tableOf(head, body)}`;
}
