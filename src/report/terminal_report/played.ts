/** The part of a run's report about experiments that were played. */
import { labelledTable } from "../format.ts";
import { wrapped } from "../wrapped.ts";
import { type PlayedExperiment, playedView } from "../played.ts";
import { heading, type Terminal } from "../terminal.ts";

/** A table of agents for each experiment, and who asked best. */
export function printPlayed(played: readonly PlayedExperiment[], terminal: Terminal): void {
  for (const one of played) {
    const { experiment, agents: [{ episodes }] } = one;
    const { order, head, rows, sentences } = playedView(one);
    heading(
      terminal,
      `${experiment}, ${episodes} episode${episodes === 1 ? "" : "s"} an agent, ${order}`,
    );
    terminal.out(labelledTable(head, rows, terminal.width));
    for (const sentence of sentences) terminal.out(wrapped(sentence, terminal.width));
  }
}
