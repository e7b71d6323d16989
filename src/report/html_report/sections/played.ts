/** Experiments that agents played: a table of them for each, best askers first. */
import { type PlayedExperiment, playedView } from "../../played.ts";
import { type Html, markup, tableOf } from "../html.ts";
import { counted } from "../words.ts";

/** The section; undefined where nothing was played. */
export function playedSection(played: readonly PlayedExperiment[] = []): Html | undefined {
  if (played.length === 0) return undefined;
  const parts = played.map((one) => {
    const { experiment, agents: [{ episodes }] } = one;
    const { order, head, rows, sentences } = playedView(one);
    return markup`<h3>${experiment}: ${counted(episodes, "episode")} an agent, ${order}</h3>
${tableOf(head, rows)}
${sentences.map((sentence) => markup`<p>${sentence}</p>`)}
`;
  });
  return markup`<h2 id="played">Experiments that were played</h2>
${parts}<p class="how">Nats are those that an agent's queries were expected to tell about the latents of the
true theory; intervals are of 95 %, by a bootstrap over episodes.</p>`;
}
