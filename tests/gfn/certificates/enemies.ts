/** Sixty plants of an author who has read how certificates work: faults without a place, damped ones, moved ones. */
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

/** Coordinates of a cell, letters of a word. */
const placesOf = ({ text }: TerminalObject) =>
  text.includes(",")
    ? text.slice(1, -1).split(", ").map(Number)
    : [...text].map((letter) => letter.charCodeAt(0) - 65);
const sumOf = (places: readonly number[]) => places.reduce((a, b) => a + b, 0);

/** The target's weights, of other objects: those whose places are read from the end. */
function turned(space: Space): Change {
  const { objects } = countedTarget(environmentOf(space));
  const keyOf = (places: readonly number[]) => places.join(",");
  const of = new Map(objects.map((one) => [keyOf(placesOf(one)), one.logReward!]));
  return (object) => of.get(keyOf(placesOf(object).toReversed()))! - object.logReward!;
}

/** Objects that broad walks seldom reach, a share of the target: nothing is left of them. */
function seldomReached(space: Space, share: number): Change {
  const { objects, logTarget } = countedTarget(environmentOf(space));
  const order = [...objects.keys()].sort((a, b) => objects[a].logPrior - objects[b].logPrior);
  const among = new Set<string>();
  let sum = 0;
  for (const i of order) {
    if (sum + Math.exp(logTarget[i]) > share) continue;
    among.add(objects[i].text);
    sum += Math.exp(logTarget[i]);
  }
  return ({ text }) => among.has(text) ? -Infinity : 0;
}

/** Ten more on each of three spaces: every object beside one that is there, tilts, exchanges, noise. */
export const furtherEnemies = (): readonly Plant[] =>
  [spaces.deep, spaces.cube, spaces.short].flatMap((space) => {
    const plant = (what: string, change: Change): Plant => ({ space, what, seed: 1, change });
    const { objects, logZ } = countedTarget(environmentOf(space));
    const even = log(0.3) + logZ - log(objects.length);
    const width = Math.max(...placesOf(objects[objects.length - 1])) + 1;
    const noise = lot("noise");
    return [
      plant(
        "every second object missing, as on a board",
        (object) => sumOf(placesOf(object)) % 2 ? -Infinity : 0,
      ),
      plant("every third at 11 %", (object) => sumOf(placesOf(object)) % 3 ? 0 : log(0.11)),
      plant("a tilt along the first place", (object) => 2 * placesOf(object)[0] / width),
      plant("a tilt along all places", (object) => sumOf(placesOf(object)) / width),
      plant("the target read from the other end", turned(space)),
      plant(
        "three tenths of it spread evenly",
        ({ logReward }) => log(0.7 + Math.exp(even - logReward!)),
      ),
      plant("half at 60 %, half at 140 %", (object) => noise(object) < 0.5 ? log(0.6) : log(1.4)),
      plant("noise of a nat and a half", (object) => 5.2 * (noise(object) - 0.5)),
      plant(
        "log rewards in steps of two nats",
        ({ logReward }) => 2 * Math.round(logReward! / 2) - logReward!,
      ),
      plant("objects that broad walks seldom reach missing", seldomReached(space, 0.3)),
    ];
  });
