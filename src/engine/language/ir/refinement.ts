/** Colour refinement of a directed acyclic graph: ranks that do not depend on how it was written. */

/** A vertex: its label, and its arguments as indices of vertices. */
export interface Vertex {
  readonly label: string;
  readonly arguments: readonly number[];
  /** The order of the arguments does not matter. */
  readonly unordered: boolean;
}

interface Use {
  readonly user: number;
  readonly position: number;
}

/**
 * Ranks 0, 1, 2 … of the vertices, all different. Vertices are distinguished by label, then by the
 * ranks of arguments and users until nothing changes (Weisfeiler and Leman 1968). Vertices that
 * stay tied are interchangeable as far as refinement sees; the first is then set apart and
 * refinement goes on (McKay 1981, without the search).
 */
export function refineColours(vertices: readonly Vertex[]): Int32Array {
  const uses = usesOf(vertices);
  let ranks: Int32Array = new Int32Array(vertices.length);
  let classes = rankBy(vertices.map(({ label }) => label), ranks);
  while (classes < vertices.length) {
    const before = classes;
    [ranks, classes] = refined(vertices, uses, ranks, classes);
    if (classes > before || classes === vertices.length) continue;
    ranks = individualise(ranks, uses);
    classes = new Set(ranks).size;
  }
  return ranks;
}

function usesOf(vertices: readonly Vertex[]): Use[][] {
  const uses: Use[][] = vertices.map(() => []);
  vertices.forEach(({ arguments: nodes, unordered }, user) =>
    nodes.forEach((node, i) => uses[node].push({ user, position: unordered ? 0 : i }))
  );
  return uses;
}

/** Writes the rank of each key; returns how many different keys there are. */
function rankBy(keys: readonly string[], ranks: Int32Array): number {
  const sorted = [...new Set(keys)].sort();
  const rank = new Map(sorted.map((key, i) => [key, i]));
  keys.forEach((key, i) => ranks[i] = rank.get(key) ?? 0);
  return sorted.length;
}

/** The ranks of a further round: classes of one stay as they are, others part by what is around their members. */
function refined(
  vertices: readonly Vertex[],
  uses: readonly Use[][],
  ranks: Int32Array,
  classes: number,
): [Int32Array, number] {
  const members: number[][] = Array.from({ length: classes }, () => []);
  ranks.forEach((rank, i) => members[rank].push(i));
  const next = new Int32Array(ranks.length);
  let count = 0;
  for (const own of members) {
    if (own.length === 1) next[own[0]] = count++;
    if (own.length < 2) continue;
    const parts = new Int32Array(own.length);
    const found = rankBy(own.map((i) => signature(vertices[i], uses[i], ranks)), parts);
    own.forEach((i, k) => next[i] = count + parts[k]);
    count += found;
  }
  return [next, count];
}

function signature(vertex: Vertex, uses: readonly Use[], ranks: Int32Array): string {
  const below = vertex.arguments.map((node) => digits(ranks[node]));
  if (vertex.unordered) below.sort();
  const above = uses.map(({ user, position }) => `${digits(ranks[user])}.${position}`).sort();
  return `${below.join(",")}|${above.join(",")}`;
}

function digits(rank: number): string {
  return String.fromCharCode(32 + (rank >> 10), 32 + (rank & 1023));
}

/**
 * Sets the first vertex of the first tied class before the others of its class. Vertices that
 * nothing uses have no influence on others, so that a whole class of them is set apart at once.
 */
function individualise(ranks: Int32Array, uses: readonly Use[][]): Int32Array {
  const counts = new Int32Array(ranks.length + 1);
  for (const rank of ranks) counts[rank]++;
  const tied = counts.findIndex((count) => count > 1);
  const chosen = ranks.indexOf(tied);
  const members = counts[tied];
  if (uses[chosen].length === 0) {
    let next = tied;
    return ranks.map((rank) => rank > tied ? rank + members - 1 : rank === tied ? next++ : rank);
  }
  return ranks.map((rank, i) => (rank > tied || (rank === tied && i !== chosen) ? rank + 1 : rank));
}
