/** The knowledge that the author of a program had of the response. */

/** What an author knew of the response. */
export type Author = "blind" | "informed";
