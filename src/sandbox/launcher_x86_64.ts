/** The launcher's code for x86-64: reads a plan from standard input and makes its system calls. */
import type { CodeLine } from "./machine_code.ts";
import { assemble, word } from "./machine_code.ts";
import { planAddress, planSize, stepFields as field } from "./launcher_layout.ts";

const ins = (...bytes: number[]): CodeLine => ({ bytes });
const label = (name: string): CodeLine => ({ label: name });
/** A conditional or plain short jump: one byte of opcode, one of distance. */
const jump = (opcode: number, to: string): CodeLine => ({
  length: 2,
  to,
  encode: (distance) => [opcode, (distance - 2) & 0xff],
});

/**
 * `rbx` holds the address of the current step, `r13` the result of its call; `syscall` changes no
 * other register than `rax`, `rcx` and `r11`.
 */
const listing: readonly CodeLine[] = [
  ins(0xbb, ...word(planAddress)), //             mov  ebx, planAddress
  ins(0x41, 0xbc, ...word(planSize)), //          mov  r12d, planSize
  ins(0x41, 0xbd, ...word(-1)), //                mov  r13d, -1           ; no plan: status 1
  ins(0x48, 0x89, 0xde), //                       mov  rsi, rbx
  label("read"),
  ins(0x31, 0xc0), //                             xor  eax, eax           ; read
  ins(0x31, 0xff), //                             xor  edi, edi           ; standard input
  ins(0x4c, 0x89, 0xe2), //                       mov  rdx, r12
  ins(0x0f, 0x05), //                             syscall
  ins(0x48, 0x85, 0xc0), //                       test rax, rax
  jump(0x7e, "noPlan"), //                        jle  noPlan
  ins(0x48, 0x01, 0xc6), //                       add  rsi, rax
  ins(0x49, 0x29, 0xc4), //                       sub  r12, rax
  jump(0x75, "read"), //                          jne  read
  label("step"),
  ins(0x48, 0x8b, 0x03), //                       mov  rax, [rbx]
  ins(0x48, 0x8b, 0x7b, field.arguments), //      mov  rdi, [rbx + 8]
  ins(0x48, 0x8b, 0x73, field.arguments + 8), //  mov  rsi, [rbx + 16]
  ins(0x48, 0x8b, 0x53, field.arguments + 16), // mov  rdx, [rbx + 24]
  ins(0x4c, 0x8b, 0x53, field.arguments + 24), // mov  r10, [rbx + 32]
  ins(0x4c, 0x8b, 0x43, field.arguments + 32), // mov  r8, [rbx + 40]
  ins(0x4c, 0x8b, 0x4b, field.arguments + 40), // mov  r9, [rbx + 48]
  ins(0x0f, 0x05), //                             syscall
  ins(0x49, 0x89, 0xc5), //                       mov  r13, rax
  ins(0x48, 0x8b, 0x4b, field.store), //          mov  rcx, [rbx + 56]
  ins(0x89, 0x01), //                             mov  [rcx], eax
  ins(0x33, 0x43, field.expect), //               xor  eax, [rbx + 64]
  ins(0x23, 0x43, field.mask), //                 and  eax, [rbx + 72]
  jump(0x75, "refuse"), //                        jne  refuse
  ins(0x48, 0x8b, 0x4b, field.ifZero), //         mov  rcx, [rbx + 80]
  ins(0x45, 0x85, 0xed), //                       test r13d, r13d
  ins(0x48, 0x0f, 0x45, 0x4b, field.ifOther), //  cmovne rcx, [rbx + 88]
  ins(0x48, 0x89, 0xcb), //                       mov  rbx, rcx
  jump(0xeb, "step"), //                          jmp  step
  label("refuse"),
  ins(0xb8, ...word(1)), //                       mov  eax, 1             ; write
  ins(0xbf, ...word(2)), //                       mov  edi, 2             ; standard error
  ins(0x48, 0x8b, 0x73, field.label), //          mov  rsi, [rbx + 96]
  ins(0x48, 0x8b, 0x53, field.labelLength), //    mov  rdx, [rbx + 104]
  ins(0x0f, 0x05), //                             syscall
  label("noPlan"),
  ins(0x44, 0x89, 0xef), //                       mov  edi, r13d
  ins(0xf7, 0xdf), //                             neg  edi                ; errno
  ins(0xb8, ...word(231)), //                     mov  eax, 231           ; exit_group
  ins(0x0f, 0x05), //                             syscall
];

/** The code, to be run at any address. */
export const launcherCodeX86: Uint8Array<ArrayBuffer> = assemble(listing);
