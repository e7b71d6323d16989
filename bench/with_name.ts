/** Chooses cases of a benchmark by a part of their names. */

/**
 * Those whose name contains the text.
 *
 * @throws if there is none; the message lists all names.
 */
export function withName<T extends { readonly name: string }>(
  cases: readonly T[],
  part: string,
): readonly T[] {
  const chosen = cases.filter(({ name }) => name.includes(part));
  if (chosen.length > 0) return chosen;
  const names = cases.map(({ name }) => name).join("; ");
  throw new Error(`no case has "${part}" in its name; there are ${names}`);
}
