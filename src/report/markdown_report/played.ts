/** Experiments that were played, in Markdown: a table of agents for each, and who asked best. */
import {
  type PlayedExperiment,
  playedHead,
  playedOrder,
  playedRows,
  playedSentences,
} from "../played.ts";
import { plain, table } from "./table.ts";

/** A section for each experiment. */
export function playedSections(played: readonly PlayedExperiment[]): string[] {
  return played.flatMap((one) => {
    const { experiment, agents: [{ episodes }] } = one;
    const rows = playedRows(one).map(([agent, ...cells]) => [plain(agent), ...cells]);
    return [
      `## Experiment ${plain(experiment)}`,
      `${episodes} episodes an agent, ${playedOrder(one)}; 95 % intervals.`,
      table(playedHead, rows),
      ...playedSentences(one).map(plain),
    ];
  });
}
