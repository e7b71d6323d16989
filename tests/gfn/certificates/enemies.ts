/** Thirty plants of an author who has read how certificates work: faults without a place, and damped ones. */
import { RandomStream } from "../../../src/base/random.ts";
import { log } from "../../../src/numerics/math/elementary.ts";
import type { TerminalObject } from "../../../src/gfn/environments/environment.ts";
import { type Plant, type Space, spaces } from "./plants.ts";
import { countedTarget } from "./planted_policy.ts";
import { environmentOf } from "./trial.ts";

type Change = Plant["change"];

/** A number in (0, 1) of an object, without any relation to others. */
const lot = (name: string) => ({ text }: TerminalObject) =>
  new RandomStream("enemy", name, text).uniform();

/** Objects whose lot is below a share get this much more, in nats. */
const some = (name: string, share: number, nats: number): Change => {
  const drawn = lot(name);
  return (object) => drawn(object) < share ? nats : 0;
};

/** Objects by rank of reward: whether one is among the best that hold a share of the target. */
function best(space: Space, share: number): (object: TerminalObject) => boolean {
  const { objects, logTarget } = countedTarget(environmentOf(space));
  const order = [...objects.keys()].sort((a, b) => logTarget[b] - logTarget[a]);
  const among = new Set<string>();
  let sum = 0;
  for (const i of order) {
    if (sum >= share) break;
    among.add(objects[i].text);
    sum += Math.exp(logTarget[i]);
  }
  return ({ text }) => among.has(text);
}

/** Objects of so many draws from the target, each as often as it was drawn. */
function copies(space: Space, draws: number): Change {
  const { objects, logTarget } = countedTarget(environmentOf(space));
  const random = new RandomStream("copies", space.name);
  const counts = new Map<string, number>();
  let sum = 0;
  const cumulative = logTarget.map((one) => sum += Math.exp(one));
  for (let k = 0; k < draws; k++) {
    const u = random.uniform() * sum;
    const { text } = objects[cumulative.findIndex((one) => u <= one)];
    counts.set(text, (counts.get(text) ?? 0) + 1);
  }
  return ({ text, logReward }) => log(counts.get(text) ?? 0) - logReward!;
}

const heated = (beta: number): Change => ({ logReward }) => (beta - 1) * logReward!;

/** Ten on each of three spaces. */
export const enemies = (): readonly Plant[] =>
  [spaces.deep, spaces.cube, spaces.short].flatMap((space) => {
    const plant = (what: string, change: Change): Plant => ({ space, what, seed: 1, change });
    const isBest = best(space, 0.3);
    const isBody = best(space, 0.7);
    return [
      plant("a random half missing", some("half", 0.5, -Infinity)),
      plant("a random half at 11 %, just above what is thin", some("half", 0.5, log(0.11))),
      plant("a random half at 30 %", some("half", 0.5, log(0.3))),
      plant("a random tenth missing", some("tenth", 0.1, -Infinity)),
      plant("a random tenth five times too much", some("tenth", 0.1, log(5))),
      plant("the best 30 % at 11 %", (object) => isBest(object) ? log(0.11) : 0),
      plant("the tail of 30 % missing", (object) => isBody(object) ? 0 : -Infinity),
      plant("temperature 2/3", heated(1.5)),
      plant("temperature 2", heated(0.5)),
      plant("copies of 1,000 draws", copies(space, 1000)),
    ];
  });
