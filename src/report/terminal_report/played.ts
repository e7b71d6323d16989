/** The part of a run's report about experiments that were played. */
import { labelledTable, wrapped } from "../format.ts";
import {
  type PlayedExperiment,
  playedHead,
  playedOrder,
  playedRows,
  playedSentences,
} from "../played.ts";
import { heading, type Terminal } from "../terminal.ts";

/** A table of agents for each experiment, and who asked best. */
export function printPlayed(played: readonly PlayedExperiment[], terminal: Terminal): void {
  for (const one of played) {
    const { experiment, agents: [{ episodes }] } = one;
    heading(terminal, `${experiment}, ${episodes} episodes an agent, ${playedOrder(one)}`);
    terminal.out(labelledTable(playedHead, playedRows(one), terminal.width));
    for (const sentence of playedSentences(one)) terminal.out(wrapped(sentence, terminal.width));
  }
}
