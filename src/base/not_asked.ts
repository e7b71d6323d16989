/** Answer where a question does not arise; it is no rival of the other answers. */
export const notAsked = "not asked";
