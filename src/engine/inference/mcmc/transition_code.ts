/** A transition in generated code: momenta, doublings, and the state that is selected. */
import type { FunctionBody, LocalIndex as Local } from "../../../numerics/wasm/mod.ts";
import { RowCode } from "./row_code.ts";
import { fillRow } from "./stream_code.ts";
import { frame, outcome } from "./tree_frame.ts";

/** Draws a momentum and forgets the last trajectory. */
export function begin(width: number): FunctionBody {
  const f = new RowCode(width, "begin");
  const [start, stride] = [f.word(frame.start).holdWord(), f.rowBytes()];
  const [momenta, sums] = [f.row(frame.momenta, start, stride), f.row(frame.sums, start, stride)];
  const before = f.get(sums, stride).op("i32.sub").holdWord();
  fillRow(f, momenta);
  f.pairs((k) => {
    f.storeTwo(before, k, () => f.pair(0));
    f.storeTwo(sums, k, () => f.two(momenta, k));
  });
  const energy = f.local("f64");
  pushEnergy(f, momenta, start);
  f.set(energy).putNumber(frame.initialEnergy, energy);
  const [zero, none] = [f.local("i32"), f.local("f64")];
  for (const at of [frame.steps, frame.depth, frame.last]) f.putWord(at, zero);
  for (const at of [frame.left, frame.right, frame.selected]) f.putWord(at, start);
  f.putNumber(frame.acceptanceSum, none).number(1).set(none).putNumber(frame.weight, none);
  return f;
}

/** Pushes ½ |momentum|² − log density of a slot whose momentum lies at an address. */
function pushEnergy(f: RowCode, momenta: Local, slot: Local): void {
  const square = f.pair(0).hold();
  f.pairs((k) => {
    f.get(square).two(momenta, k).two(momenta, k).op("f64x2.mul", "f64x2.add").set(square);
  });
  f.number(0.5).total(square).op("f64.mul");
  f.word(frame.logDensities).get(slot).i32(8).op("i32.mul", "i32.add").loadNumber(0).op("f64.sub");
}

/** Makes a slot the current state. */
export function select(width: number): FunctionBody {
  const f = new RowCode(width, "select");
  const slot = 0;
  const [start, stride] = [f.word(frame.start).holdWord(), f.rowBytes()];
  const energy = f.local("f64");
  pushEnergy(f, f.row(frame.momenta, slot, stride), slot);
  f.set(energy).putNumber(frame.energy, energy);
  f.get(slot, start).op("i32.eq").when(() => f.return());
  for (const rows of [frame.positions, frame.gradients, frame.whiteGradients]) {
    const [from, to] = [f.row(rows, slot, stride), f.row(rows, start, stride)];
    f.pairs((k) => f.storeTwo(to, k, () => f.two(from, k)));
  }
  const density = (at: Local) => f.word(frame.logDensities).get(at).i32(8).op("i32.mul", "i32.add");
  density(start);
  density(slot).loadNumber(0).storeNumber(0);
  return f;
}

/** The whole of it; returns as `resume` does. */
export function transition(width: number): FunctionBody {
  return new RowCode(width, "transition").callOwn("begin").callOwn("resume");
}

/** Variables that doublings change. */
interface Trajectory {
  readonly depth: Local;
  readonly left: Local;
  readonly right: Local;
  readonly selected: Local;
  readonly weight: Local;
}

/**
 * Doubles the trajectory until it turns, diverges or is as long as it may be, and selects a state.
 * Returns 1 if there is no room to go on, to be called again, otherwise 0.
 */
export function resume(width: number): FunctionBody {
  const f = new RowCode(width, "resume");
  const [depth, left, right, selected] = [frame.depth, frame.left, frame.right, frame.selected]
    .map((at) => f.word(at).holdWord());
  const weight = f.local("f64");
  f.value(frame.weight).set(weight);
  const all = { depth, left, right, selected, weight };
  const going = f.i32(1).holdWord();
  f.asLongAs(() => f.get(going).get(depth).word(frame.maxDepth).op("i32.lt_s", "i32.and"), () => {
    f.get(depth).word(frame.room).op("i32.eq").when(() => {
      keep(f, all);
      f.i32(1).return();
    });
    double(f, all, going);
  });
  keep(f, all);
  return f.get(selected).callOwn("select").i32(0);
}

function keep(f: RowCode, { depth, left, right, selected, weight }: Trajectory): void {
  f.putWord(frame.depth, depth).putWord(frame.left, left).putWord(frame.right, right);
  f.putWord(frame.selected, selected).putNumber(frame.weight, weight);
}

/** One doubling; `going` becomes 0 if it was the last. */
function double(f: RowCode, all: Trajectory, going: Local): void {
  const { depth, left, right } = all;
  const [direction, found] = [f.local("i32"), f.local("i32")];
  // The highest bit of the word: 1 forwards, otherwise −1.
  f.callOwn("word").i32(31).op("i32.shr_u").i32(1).op("i32.shl").i32(1).op("i32.sub");
  f.set(direction);
  const forward = () => f.get(direction).i32(1).op("i32.eq");
  const from = f.local("i32");
  forward().choose(() => f.get(right).set(from), () => f.get(left).set(from));
  f.get(from, direction, depth).callOwn("grow").set(found).putWord(frame.last, found);
  f.get(found).i32(outcome.valid).op("i32.eq").choose(() => {
    choose(f, all);
    const [size, middle] = [f.i32(1).get(depth).op("i32.shl").holdWord(), f.local("i32")];
    forward().choose(
      () => f.get(right).set(middle).get(right, size).op("i32.add").set(right),
      () => f.get(left).i32(1).op("i32.sub").set(middle).get(left, size).op("i32.sub").set(left),
    );
    f.get(depth).i32(1).op("i32.add").set(depth);
    f.get(left, middle, right).callOwn("turns").op("i32.eqz").set(going);
  }, () => f.i32(0).set(going));
}

/** Selects the proposal of the new subtree, with a bias towards it. */
function choose(f: RowCode, { depth, selected, weight }: Trajectory): void {
  const added = f.local("f64");
  f.word(frame.levelWeights).get(depth).i32(8).op("i32.mul", "i32.add").loadNumber(0).set(added);
  const take = () => {
    f.word(frame.levelProposals).get(depth).i32(4).op("i32.mul", "i32.add").loadIndex(0);
    f.set(selected);
  };
  f.get(added, weight).op("f64.ge").choose(take, () => {
    f.callOwn("uniform").get(weight).op("f64.mul").get(added).op("f64.lt").when(take);
  });
  f.get(weight, added).op("f64.add").set(weight);
}
