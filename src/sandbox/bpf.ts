/** Classic BPF as seccomp runs it: instructions, and the few forms that a filter is made of. */

/** One instruction (linux/filter.h, `struct sock_filter`). */
export interface BpfInstruction {
  readonly code: number;
  /** Instructions to skip if the comparison holds, and if it does not. */
  readonly jumpTrue: number;
  readonly jumpFalse: number;
  readonly k: number;
}

/** Codes of the instructions that are used. */
export const bpfCodes = {
  load: 0x20,
  ifEqual: 0x15,
  ifGreaterOrEqual: 0x35,
  ifAnyBit: 0x45,
  return: 0x06,
} as const;

/** Actions of a filter (linux/seccomp.h). */
export const seccompActions = {
  allow: 0x7fff_0000,
  killProcess: 0x8000_0000,
  errno: (number: number): number => 0x0005_0000 | number,
} as const;

/** Offsets in the input of a filter (`struct seccomp_data`); halves of arguments on little-endian. */
export const seccompData = {
  number: 0,
  arch: 4,
  low: (argument: number): number => 16 + 8 * argument,
  high: (argument: number): number => 20 + 8 * argument,
} as const;

const instruction = (
  code: number,
  k: number,
  jumpTrue = 0,
  jumpFalse = 0,
): BpfInstruction => ({ code, jumpTrue, jumpFalse, k: k >>> 0 });

/** Loads a 32-bit word of the call. */
export const load = (offset: number): BpfInstruction => instruction(bpfCodes.load, offset);

/** Ends the filter with an action. */
export const decide = (action: number): BpfInstruction => instruction(bpfCodes.return, action);

/** Runs `body` if the loaded word equals `k`, goes on behind it if not. */
export const ifEqual = (k: number, body: readonly BpfInstruction[]): BpfInstruction[] =>
  branch(bpfCodes.ifEqual, k, body);

/** Runs `body` if the loaded word, unsigned, is `k` or more. */
export const ifAtLeast = (k: number, body: readonly BpfInstruction[]): BpfInstruction[] =>
  branch(bpfCodes.ifGreaterOrEqual, k, body);

/** Runs `body` if the loaded word has any bit of `k`. */
export const ifAnyBit = (k: number, body: readonly BpfInstruction[]): BpfInstruction[] =>
  branch(bpfCodes.ifAnyBit, k, body);

function branch(code: number, k: number, body: readonly BpfInstruction[]): BpfInstruction[] {
  if (body.length > 255) throw new Error("internal: a BPF jump spans at most 255 instructions");
  return [instruction(code, k, 0, body.length), ...body];
}

/** The bytes of a filter, 8 for each instruction. */
export function encodeBpf(filter: readonly BpfInstruction[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(8 * filter.length);
  const view = new DataView(bytes.buffer);
  filter.forEach(({ code, jumpTrue, jumpFalse, k }, i) => {
    view.setUint16(8 * i, code, true);
    view.setUint8(8 * i + 2, jumpTrue);
    view.setUint8(8 * i + 3, jumpFalse);
    view.setUint32(8 * i + 4, k, true);
  });
  return bytes;
}
