/** A module that exports something else than a stage kind. */
export const answer = 42;
