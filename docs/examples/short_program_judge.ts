/** A judge of one's own: a program is the better the shorter its text is. */
import { defineJudge } from "sluice";

export default defineJudge({
  name: "short_program",
  version: 1,
  uses: "execution",
  judge(execution, program, dataset) {
    const characters = program.text.length;
    const known = execution.status === "ok" && dataset.rows > 0;
    return {
      logReward: known ? -characters / 200 : -10,
      components: { characters },
    };
  },
});
