/** Bounds on the sizes of a grammar file. */

/** Levels of a hole within itself. */
export const mostDepth = 100;

/** Most choices of a derivation, the number of positions that policies have. */
export const mostChoices = 1_000;

/** Operands of a chain. */
export const mostOperands = 16;
