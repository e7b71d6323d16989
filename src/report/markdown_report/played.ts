/** Experiments that were played, in Markdown: a table of agents for each, and who asked best. */
import { type PlayedExperiment, playedView } from "../played.ts";
import { plain, table } from "./table.ts";

/** A section for each experiment. */
export function playedSections(played: readonly PlayedExperiment[]): string[] {
  return played.flatMap((one) => {
    const { experiment, agents: [{ episodes }] } = one;
    const { order, head, rows, sentences } = playedView(one);
    const cells = rows.map(([agent, ...own]) => [plain(agent), ...own]);
    return [
      `## Experiment ${plain(experiment)}`,
      `${episodes} episode${episodes === 1 ? "" : "s"} an agent, ${order}; 95 % intervals.`,
      table(head, cells),
      ...sentences.map(plain),
    ];
  });
}
