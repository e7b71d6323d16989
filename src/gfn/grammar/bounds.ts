/** Bounds of what a grammar file may ask for. */

/** Levels of a hole within itself. */
export const mostDepth = 100;

/** Choices of a derivation: what policies have positions for. */
export const mostChoices = 1_000;

/** Operands of a chain. */
export const mostOperands = 16;
