/** Printing of graphs as PyMC text. */
export { isTable } from "./expressions.ts";
export { commentText } from "./literals.ts";
