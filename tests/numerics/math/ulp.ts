/** Distance of two doubles in units in the last place, and the golden tables of functions. */

const words = new BigInt64Array(1);
const doubles = new Float64Array(words.buffer);

/** A double's place in the ordered line of all doubles. */
function place(x: number): bigint {
  doubles[0] = x;
  return words[0] >= 0n ? words[0] : -(words[0] & 0x7fffffffffffffffn);
}

/** How many doubles apart `a` and `b` are; 0 if they are equal or both NaN. */
export function ulpDistance(a: number, b: number): number {
  if (a === b || (a !== a && b !== b)) return 0;
  if (a !== a || b !== b) return Infinity;
  const distance = place(a) - place(b);
  return Number(distance < 0n ? -distance : distance);
}

/** Reads a golden file of this repository. */
export function readGolden<T>(name: string): T {
  return JSON.parse(Deno.readTextFileSync(new URL(`../../golden/${name}`, import.meta.url)));
}

/** Tables made by tools/golden/elementary.py. */
export interface ElementaryGolden {
  readonly functions: Readonly<Record<string, { readonly x: number[]; readonly y: number[] }>>;
  readonly pow: { readonly x: number[]; readonly y: number[]; readonly z: number[] };
}

/** The largest distance of `f` from the golden table, in units in the last place. */
export function worstUlp(f: (x: number) => number, name: string): number {
  const { x, y } = readGolden<ElementaryGolden>("elementary.json").functions[name];
  return x.reduce((worst, v, i) => Math.max(worst, ulpDistance(f(v), y[i])), 0);
}
