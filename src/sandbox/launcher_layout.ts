/** Layout that launcher and plans agree on: addresses, sizes, fields of a step. */

/**
 * Address at which the launcher puts a plan. It lies below every executable (those at a fixed
 * address begin at 4 MiB), so that neither a program nor its heap, which grows upwards, is ever there.
 */
export const planAddress = 0x20_0000;

/** Bytes of every plan: the launcher reads so many from its standard input, no more and no less. */
export const planSize = 60 << 10;

/** Offset of the name that is passed to `execve`, at most 4096 bytes with its end. */
export const execNameOffset = planSize - 4096;

/** Offsets of a step's fields in bytes; each is 8 bytes wide. */
export const stepFields = {
  /** Number of the system call. */
  number: 0,
  /** Its six arguments. */
  arguments: 8,
  /** Address to which the low 32 bits of the result are written. */
  store: 56,
  /** The result must equal `expect` in the bits of `mask`; otherwise the launcher ends. */
  expect: 64,
  mask: 72,
  /** Addresses of the next step, after a result of zero and any other. */
  ifZero: 80,
  ifOther: 88,
  /** Address and length of the text that the launcher leaves on standard error if it ends here. */
  label: 96,
  labelLength: 104,
} as const;

/** Bytes of a step. */
export const stepSize = 112;
