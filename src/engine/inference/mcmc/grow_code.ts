/** A subtree of leapfrog steps in generated code: its leaves are merged as the bits of their count. */
import type { FunctionBody, LocalIndex as Local } from "../../../numerics/wasm/mod.ts";
import { RowCode } from "./row_code.ts";
import { frame, library, maxEnergyError, maxLogWeight, outcome } from "./tree_frame.ts";

/** Grows a subtree of 2^depth states; returns its outcome. */
export function growTree(width: number): FunctionBody {
  const f = new RowCode(width, "grow");
  const [slot, direction, depth] = [0, 1, 2];
  const [leaf, count] = [f.local("i32"), f.local("i32")];
  const error = f.local("f64");
  f.i32(1).get(depth).op("i32.shl").set(count).i32(1).set(leaf);
  f.asLongAs(() => f.get(leaf, count).op("i32.le_s"), () => {
    f.get(slot, direction).callOwn("leapfrog").set(error);
    f.get(slot, direction).op("i32.add").set(slot);
    f.i32(0).word(frame.steps).i32(1).op("i32.add").storeIndex(frame.steps);
    f.get(error).number(maxEnergyError).op("f64.le", "i32.eqz");
    f.when(() => f.i32(outcome.diverges).return());
    f.get(error).op("f64.neg").number(maxLogWeight).op("f64.min").op("f64x2.splat");
    const weight = f.local("f64");
    f.call(library.index("exp")).extract(0).set(weight);
    f.i32(0).value(frame.acceptanceSum).get(weight).number(1).op("f64.min", "f64.add");
    f.storeNumber(frame.acceptanceSum);
    merge(f, { slot, direction, leaf, weight });
    f.get(leaf).i32(1).op("i32.add").set(leaf);
  });
  return f.i32(outcome.valid);
}

interface Leaf {
  readonly slot: Local;
  readonly direction: Local;
  readonly leaf: Local;
  readonly weight: Local;
}

/** Merges the subtrees that a leaf completes; leaves the function if one turns. */
function merge(f: RowCode, { slot, direction, leaf, weight }: Leaf): void {
  const [proposal, level, rest] = [f.local("i32"), f.local("i32"), f.local("i32")];
  const [half, left] = [f.local("i32"), f.local("i32")];
  const total = f.local("f64");
  const weights = () => f.word(frame.levelWeights).get(level).i32(8).op("i32.mul", "i32.add");
  const proposals = () => f.word(frame.levelProposals).get(level).i32(4).op("i32.mul", "i32.add");
  f.get(slot).set(proposal).i32(0).set(level).get(leaf).set(rest);
  f.asLongAs(() => f.get(rest).i32(1).op("i32.and", "i32.eqz"), () => {
    weights().loadNumber(0).get(weight).op("f64.add").set(total);
    f.callOwn("uniform").get(total).op("f64.mul").get(weight).op("f64.ge");
    f.when(() => proposals().loadIndex(0).set(proposal));
    f.get(total).set(weight);
    f.i32(1).get(level).op("i32.shl").set(half);
    f.get(level).i32(1).op("i32.add").set(level);
    f.get(slot).set(left);
    f.get(direction).i32(1).op("i32.eq").when(() =>
      f.get(slot, half).i32(1).op("i32.shl", "i32.sub").i32(1).op("i32.add").set(left)
    );
    f.get(left);
    f.get(left, half).op("i32.add").i32(1).op("i32.sub");
    f.get(left, half).i32(1).op("i32.shl", "i32.add").i32(1).op("i32.sub");
    f.callOwn("turns").when(() => f.i32(outcome.turns).return());
    f.get(rest).i32(1).op("i32.shr_u").set(rest);
  });
  weights().get(weight).storeNumber(0);
  proposals().get(proposal).storeIndex(0);
}
