/** A stage kind of one's own: the program with the most tokens among those just sampled. */
import { defineStage, port, ports, z } from "sluice/stage";

export default defineStage({
  kind: "longest",
  version: 1,
  description: "Notes the longest derivation of each batch.",
  params: z.strictObject({ at_least: z.int().default(1).describe("shorter ones are not noted") }),
  inputs: { trajectories: port(ports.trajectories, "fresh trajectories") },
  outputs: { longest: port(ports.table, "one row") },
  run(context, { trajectories }, { at_least }) {
    const lengths = trajectories.trajectories.map((one) => one.actions.length);
    const longest = Math.max(...lengths);
    if (longest >= at_least) context.metric("longest", longest);
    return Promise.resolve({ longest: { rows: [{ longest }] } });
  },
});
