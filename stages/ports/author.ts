/** The knowledge that the author of a program had of the response. */

/** Knowledge of an author about the response. */
export type Author = "blind" | "informed";
