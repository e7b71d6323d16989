/** The likeliest programs, with code to copy. */
import type { BestProgram, PageFacts, PrintedFacts } from "../facts.ts";
import { Html, markup } from "../html.ts";
import { modelFormula } from "../../../answers/mod.ts";
import { share, signed } from "../words.ts";

/** Programs that are shown with their code. */
export const mostShown = 5;

/** The programs with their code: canonical PyMC where it could be printed, else their own text. */
export function programsSection(
  { best, printed, command, run, report }: PageFacts,
): Html | undefined {
  if (best.length === 0) return undefined;
  const asked = (report.answer?.questions ?? []).map(({ question }) => question);
  const nameOf = ({ answers, features }: BestProgram) =>
    answers.length > 0 ? modelFormula(report.answer?.formula, asked, answers) : features.join(", ");
  return markup`<h2 id="programs">The likeliest programs</h2>
<p class="how">The likeliest program of each of the likeliest models. As files that run, with the
data, sampling and weights: <code>${command} programs ${run.runId} --out best/</code></p>
${best.slice(0, mostShown).map((one, i) => programPart(one, printed[i], i, nameOf(one)))}`;
}

function programPart(
  one: BestProgram,
  printed: PrintedFacts | undefined,
  place: number,
  name: string,
): Html {
  const { features, target, modelTarget, elpd, se, pLoo, text, unit } = one;
  const elpdName = unit === "future" ? "ELPD-LFO" : "ELPD-LOO";
  const score = `${elpdName} ${signed(elpd, 2)}${se === null ? "" : ` ± ${se.toFixed(2)}`}${
    pLoo === null ? "" : `, ${pLoo.toFixed(1)} effective parameters`
  }`;
  const own = printed?.code === undefined
    ? markup`<p class="how">As its author wrote it${
      printed?.why ? `; canonical PyMC is missing: ${printed.why}` : ""
    }.</p>`
    : undefined;
  const summary = `${place + 1}. ${name}: ${share(modelTarget)}`;
  const code = `${(printed?.code ?? text).trim()}\n`;
  const tag = new Html(place === 0 ? "<details open>" : "<details>");
  return markup`${tag}<summary>${summary}</summary>
<p class="facts">${score}. Choices: ${features.join(", ")}. This program alone has
${share(target)}.</p>
${own}<div class="code"><pre><code>${code}</code></pre></div></details>
`;
}
