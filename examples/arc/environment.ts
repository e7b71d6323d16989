/** An environment of grid programs: a word is an action, held-out pairs of a puzzle are the reward. */
import { defineEnvironment, InputError, type OwnEnvironment } from "sluice";
import { log } from "sluice/numerics/math";
import { exactShare, runProgram, words } from "./grid_programs.ts";
import { readPuzzle } from "./puzzle.ts";
import fallAndTurn from "./puzzles/fall_and_turn.json" with { type: "json" };
import grown from "./puzzles/grown.json" with { type: "json" };
import oneColourMirrored from "./puzzles/one_colour_mirrored.json" with { type: "json" };

/** Puzzles by name. A JSON file of the public data set is added by an import and a name here. */
export const puzzles: Readonly<Record<string, unknown>> = {
  fall_and_turn: fallAndTurn,
  grown,
  one_colour_mirrored: oneColourMirrored,
};

/** A program as far as it is written: places of its words. */
type Written = readonly number[];

const exit = words.length;

export default defineEnvironment<Written>({
  name: "arc",
  version: 1,
  create({ puzzle: name = "fall_and_turn", pairs = "test", most_words = 3, nats = 10 }) {
    const { train, test } = readPuzzle(named(String(name)), String(name));
    const judged = pairs === "train" ? train : test;
    const most = Number(most_words);
    const logReward = (written: Written) => {
      const program = written.map((place) => words[place]);
      const shares = judged.map(({ input, output }) =>
        exactShare(runProgram(program, input), output)
      );
      const share = shares.reduce((sum, one) => sum + one, 0) / shares.length;
      return Number(nats) * (share - 1);
    };
    const logLegal = -log(exit + 1);
    const terminal = (written: Written) => ({
      text: written.length === 0 ? "leave" : written.map((place) => words[place]).join(" "),
      logPrior: written.length * logLegal + (written.length < most ? logLegal : 0),
      actions: [...written, exit],
      features: [...new Set(written)].map((place) => words[place]),
      logReward: logReward(written),
    });
    const environment: OwnEnvironment<Written> = {
      actionNames: [...words, "end"],
      exitAction: exit,
      maxActions: most + 1,
      count: Array.from({ length: most + 1 }, (_, k) => exit ** k).reduce((a, b) => a + b, 0),
      initialState: () => [],
      legalActions: ({ length }) =>
        Uint8Array.from({ length: exit + 1 }, (_, a) => a === exit || length < most ? 1 : 0),
      step(written, action) {
        if (action === exit || written.length === most) {
          throw new Error("internal: that is illegal");
        }
        return [...written, action];
      },
      logPrior: ({ length }) =>
        Float64Array.from({ length: exit + 1 }, (_, a) => {
          if (length < most) return logLegal;
          return a === exit ? 0 : -Infinity;
        }),
      terminal,
      *enumerate() {
        const open: Written[] = [[]];
        for (const written of open) {
          yield terminal(written);
          if (written.length < most) open.push(...words.map((_, place) => [...written, place]));
        }
      },
      logReward,
    };
    return environment;
  },
});

function named(name: string): unknown {
  if (Object.hasOwn(puzzles, name)) return puzzles[name];
  throw new InputError([{
    code: "arc/name",
    severity: "error",
    message: `Cannot find puzzle "${name}"`,
    hint: `there are ${Object.keys(puzzles).join(", ")}`,
  }]);
}
