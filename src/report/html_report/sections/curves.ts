/** Predictions of the models, drawn over the data. */
import { type Drawn, figure } from "../drawn.ts";
import { isMissing, type PageFacts } from "../facts.ts";
import { details, type Html, markup } from "../html.ts";
import { counted, share } from "../words.ts";
import { missingNote } from "./missing.ts";

/** Curves of the average and of the likeliest models. */
export function curvesSection(facts: PageFacts, drawn: Drawn): Html {
  const { fits } = facts;
  const head = markup`<h2 id="curves">What the models predict</h2>\n`;
  if (isMissing(fits)) return markup`${head}${missingNote(fits)}`;
  if (!fits.scene || !fits.average) {
    const why = fits.failed[0] ?? "there is no predictor to draw over";
    return markup`${head}${missingNote({ why: `Curves are missing: ${why}` })}`;
  }
  const held = fits.share < 0.995
    ? ` They stand for ${share(fits.share)} of the target; the others cannot predict new rows.`
    : "";
  return markup`${head}
<p class="how">${
    counted(fits.fitted, "program")
  }, drawn from all programs by their probability, were
fitted again for this page.${held} The bands cover uncertainty of the parameters and of the
model, and the noise of a single new row.</p>
${figure(drawn, "curve_average")}${figure(drawn, "curves_of_models")}
${
    fits.failed.length > 0
      ? details(
        `${counted(fits.failed.length, "program")} left out`,
        markup`<ul>${fits.failed.slice(0, 10).map((one) => markup`<li>${one}</li>`)}</ul>`,
      )
      : undefined
  }`;
}
