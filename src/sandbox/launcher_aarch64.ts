/** The launcher's code for aarch64: reads a plan from standard input and makes its system calls. */
import type { CodeLine } from "./machine_code.ts";
import { assemble, word } from "./machine_code.ts";
import { planAddress, planSize, stepFields as field } from "./launcher_layout.ts";

const ins = (instruction: number): CodeLine => ({ bytes: word(instruction) });
const label = (name: string): CodeLine => ({ label: name });
/** A branch on a condition: the distance in words stands in bits 5 to 23. */
const branchIf = (condition: number, to: string): CodeLine => ({
  length: 4,
  to,
  encode: (distance) => word(0x5400_0000 | ((distance >> 2) & 0x7ffff) << 5 | condition),
});
const branch = (to: string): CodeLine => ({
  length: 4,
  to,
  encode: (distance) => word(0x1400_0000 | (distance >> 2) & 0x3ffffff),
});
const [notEqual, lessOrEqual] = [0x1, 0xd];

/** `ldr xT, [x19, #offset]`. */
const load = (t: number, offset: number): CodeLine => ins(0xf940_0260 | (offset >> 3) << 10 | t);
/** `mov xT, #value`, for values of 16 bits. */
const set = (t: number, value: number): CodeLine => ins(0xd280_0000 | value << 5 | t);

/** `x19` holds the address of the current step, `x21` the result of its call. */
const listing: readonly CodeLine[] = [
  ins(0xd2a0_0013 | (planAddress >>> 16) << 5), // movz x19, planAddress >> 16, lsl 16
  ins(0x9280_0015), //                             movn x21, 0             ; no plan: status 1
  ins(0xd280_0014 | planSize << 5), //             movz x20, planSize
  ins(0xaa13_03f6), //                             mov  x22, x19
  label("read"),
  set(8, 63), //                                   read
  set(0, 0), //                                    standard input
  ins(0xaa16_03e1), //                             mov  x1, x22
  ins(0xaa14_03e2), //                             mov  x2, x20
  ins(0xd400_0001), //                             svc  0
  ins(0xf100_001f), //                             cmp  x0, 0
  branchIf(lessOrEqual, "noPlan"),
  ins(0x8b00_02d6), //                             add  x22, x22, x0
  ins(0xeb00_0294), //                             subs x20, x20, x0
  branchIf(notEqual, "read"),
  label("step"),
  load(8, field.number),
  ...[0, 1, 2, 3, 4, 5].map((i) => load(i, field.arguments + 8 * i)),
  ins(0xd400_0001), //                             svc  0
  ins(0xaa00_03f5), //                             mov  x21, x0
  load(9, field.store),
  ins(0xb900_0120), //                             str  w0, [x9]
  load(9, field.expect),
  load(10, field.mask),
  ins(0x4a00_0129), //                             eor  w9, w9, w0
  ins(0x6a0a_013f), //                             tst  w9, w10
  branchIf(notEqual, "refuse"),
  load(9, field.ifZero),
  load(10, field.ifOther),
  ins(0x7100_001f), //                             cmp  w0, 0
  ins(0x9a8a_0133), //                             csel x19, x9, x10, eq
  branch("step"),
  label("refuse"),
  set(8, 64), //                                   write
  set(0, 2), //                                    standard error
  load(1, field.label),
  load(2, field.labelLength),
  ins(0xd400_0001), //                             svc  0
  label("noPlan"),
  ins(0x4b15_03e0), //                             neg  w0, w21            ; errno
  set(8, 94), //                                   exit_group
  ins(0xd400_0001), //                             svc  0
];

/** The code, to be run at any address. */
export const launcherCodeAarch64: Uint8Array<ArrayBuffer> = assemble(listing);
