/** The agents `random` and `grid`, which look at nothing that they see. */
import { RandomStream } from "../../../base/random.ts";
import { askedOf } from "../design.ts";
import { gridRows, randomRow } from "../draw_rows.ts";
import type { Experiment } from "../experiment.ts";
import { shownRow } from "../tell.ts";
import type { Agent } from "./agent.ts";

/** Asks at random: inputs evenly within their bounds, or open entries of the catalogue. */
export function randomAgent(experiment: Experiment, key: readonly (string | number)[]): Agent {
  const random = new RandomStream(...key, "random agent");
  return {
    act: ({ catalogue }) => {
      if (catalogue) return { kind: "query", query: catalogue[random.below(catalogue.length)] };
      const row = askedOf(randomRow(experiment, random), experiment);
      return { kind: "query", query: shownRow(row, experiment) };
    },
  };
}

/** Asks at the points of a grid over all inputs, of about as many as there are queries, spread evenly. */
export function gridAgent(experiment: Experiment, budget: number): Agent {
  const rows = gridRows(experiment, budget).map((row) => askedOf(row, experiment));
  let asked = 0;
  return {
    act: ({ catalogue }) => {
      const open = catalogue ?? rows.map((row) => shownRow(row, experiment));
      const at = Math.floor((asked++ + 0.5) * open.length / budget) % open.length;
      return { kind: "query", query: open[at] };
    },
  };
}
