/** One step of the leapfrog integrator in generated code. */
import type { FunctionBody, LocalIndex as Local } from "../../../numerics/wasm/mod.ts";
import { RowCode } from "./row_code.ts";
import { frame, functionNames, gradientType, library } from "./tree_frame.ts";

/** Number of the gradient's type: that behind the types of all functions. */
const gradientNumber = library.count + functionNames.length;

/** One step from slot `from`; returns the energy error. */
export function leapfrog(width: number): FunctionBody {
  const f = new RowCode(width, "leapfrog");
  const [from, direction] = [0, 1];
  const [to, stride] = [f.local("i32"), f.rowBytes()];
  f.get(from, direction).op("i32.add").set(to);
  const row = (base: number, slot: Local) => f.row(base, slot, stride);
  const [q, nextQ] = [row(frame.positions, from), row(frame.positions, to)];
  const [r, nextR] = [row(frame.momenta, from), row(frame.momenta, to)];
  const [u, nextU] = [row(frame.whiteGradients, from), row(frame.whiteGradients, to)];
  const g = row(frame.gradients, to);
  f.get(direction).op("f64.convert_i32_s").value(frame.stepSize).op("f64.mul");
  const step = f.op("f64x2.splat").hold();
  const half = f.pair(0.5).get(step).op("f64x2.mul").hold();
  f.pairs((k) =>
    f.storeTwo(nextR, k, () => {
      f.two(r, k).get(half).two(u, k).op("f64x2.mul", "f64x2.add");
    })
  );
  const dense = () => f.word(frame.transposed);
  const drift = { f, stride, step, q, nextQ, nextR };
  dense().choose(() => driftDense(drift), () => driftDiagonal(drift));
  f.get(nextQ, g).i32(0).callIndirect(gradientNumber, gradientType);
  const value = f.local("f64");
  f.set(value).word(frame.logDensities).get(to).i32(8).op("i32.mul", "i32.add");
  f.get(value).storeNumber(0);
  const white = { f, stride, g, nextU };
  dense().choose(() => whitenDense(white), () => whitenDiagonal(white));
  kick({ f, stride, half, from, to, direction, nextR, nextU });
  return f.number(0.5).op("f64.mul").get(value).op("f64.sub").value(frame.initialEnergy)
    .op("f64.sub");
}

interface Drift {
  readonly f: RowCode;
  readonly stride: Local;
  readonly step: Local;
  readonly q: Local;
  readonly nextQ: Local;
  readonly nextR: Local;
}

/** q' = q + (step · factor) · r'. */
function driftDiagonal({ f, step, q, nextQ, nextR }: Drift): void {
  const factor = f.local("i32");
  f.word(frame.factor).set(factor);
  f.pairs((k) =>
    f.storeTwo(nextQ, k, () => {
      f.two(q, k).get(step).two(factor, k).op("f64x2.mul").two(nextR, k);
      f.op("f64x2.mul", "f64x2.add");
    })
  );
}

/** q' = q + step · (L r'): row by row, up to the pair that holds the diagonal. */
function driftDense({ f, stride, step, q, nextQ, nextR }: Drift): void {
  f.rows(frame.factor, stride, "below", (row, at, pairs) => {
    const sum = f.pair(0).hold();
    pairs((k) => {
      f.get(sum).two(row, k.inRow).two(nextR, k.place).op("f64x2.mul", "f64x2.add").set(sum);
    });
    f.address(nextQ, at).address(q, at).loadNumber(at.bytes);
    f.get(step).extract(0).total(sum).op("f64.mul", "f64.add").storeNumber(at.bytes);
  });
}

interface White {
  readonly f: RowCode;
  readonly stride: Local;
  readonly g: Local;
  readonly nextU: Local;
}

/** u = factor · g. */
function whitenDiagonal({ f, g, nextU }: White): void {
  const factor = f.local("i32");
  f.word(frame.factor).set(factor);
  f.pairs((k) =>
    f.storeTwo(nextU, k, () => {
      f.two(factor, k).two(g, k).op("f64x2.mul");
    })
  );
}

/** u = Lᵀ g: row by row of the transpose, from the pair that holds the diagonal on. */
function whitenDense({ f, stride, g, nextU }: White): void {
  f.rows(frame.transposed, stride, "above", (row, at, pairs) => {
    const sum = f.pair(0).hold();
    pairs((k) => {
      f.get(sum).two(row, k.inRow).two(g, k.place).op("f64x2.mul", "f64x2.add").set(sum);
    });
    f.address(nextU, at).total(sum).storeNumber(at.bytes);
  });
}

interface Kick {
  readonly f: RowCode;
  readonly stride: Local;
  readonly half: Local;
  readonly from: Local;
  readonly to: Local;
  readonly direction: Local;
  readonly nextR: Local;
  readonly nextU: Local;
}

/** Second half kick and running sums; pushes the squared momentum. */
function kick({ f, stride, half, from, to, direction, nextR, nextU }: Kick): void {
  const [known, next] = [f.local("i32"), f.local("i32")];
  const [momentum, square, sign] = [f.local(), f.local(), f.local()];
  // Forwards S[to] = S[from] + r[to]; backwards S[to − 1] = S[to] − r[to].
  f.get(direction).i32(0).op("i32.lt_s").choose(
    () => f.get(to).set(known).get(to).i32(1).op("i32.sub").set(next),
    () => f.get(from).set(known).get(to).set(next),
  );
  for (const slot of [known, next]) {
    f.word(frame.sums).get(slot, stride).op("i32.mul", "i32.add").set(slot);
  }
  f.get(direction).op("f64.convert_i32_s").op("f64x2.splat").set(sign);
  f.pair(0).set(square);
  f.pairs((k) => {
    f.two(nextR, k).get(half).two(nextU, k).op("f64x2.mul", "f64x2.add").set(momentum);
    f.storeTwo(nextR, k, () => f.get(momentum));
    f.get(square, momentum, momentum).op("f64x2.mul", "f64x2.add").set(square);
    f.storeTwo(next, k, () => {
      f.two(known, k).get(sign, momentum).op("f64x2.mul", "f64x2.add");
    });
  });
  f.total(square);
}
