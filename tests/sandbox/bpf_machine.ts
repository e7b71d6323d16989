/** Runs a seccomp filter as the kernel would, to ask it about calls of either processor. */
import type { BpfInstruction } from "../../src/sandbox/bpf.ts";
import { bpfCodes } from "../../src/sandbox/bpf.ts";

/** A system call as a filter sees it. */
export interface SeenCall {
  readonly number: number;
  readonly arch: number;
  /** Six arguments of 64 bits; zero where none is given. */
  readonly args?: readonly bigint[];
}

/** The action that the filter decides on; throws if it runs off its end. */
export function decideOn(filter: readonly BpfInstruction[], call: SeenCall): number {
  const data = new DataView(new ArrayBuffer(64));
  data.setUint32(0, call.number, true);
  data.setUint32(4, call.arch, true);
  call.args?.forEach((value, i) => data.setBigUint64(16 + 8 * i, BigInt.asUintN(64, value), true));
  let accumulator = 0;
  for (let at = 0; at < filter.length; at++) {
    const { code, jumpTrue, jumpFalse, k } = filter[at];
    if (code === bpfCodes.return) return k;
    if (code === bpfCodes.load) accumulator = data.getUint32(k, true);
    else at += holds(code, accumulator, k) ? jumpTrue : jumpFalse;
  }
  throw new Error("the filter has no end");
}

function holds(code: number, accumulator: number, k: number): boolean {
  if (code === bpfCodes.ifEqual) return accumulator === k;
  if (code === bpfCodes.ifGreaterOrEqual) return accumulator >= k;
  if (code === bpfCodes.ifAnyBit) return (accumulator & k) !== 0;
  throw new Error(`no instruction ${code}`);
}
