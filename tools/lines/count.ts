/** Counts the lines and files of each wing of `src`, of the engine's libraries and of `stages`. */

/** How large a wing is. */
export interface Size {
  readonly lines: number;
  readonly files: number;
}

/** The size of each wing, by its folder. */
export type Sizes = Readonly<Record<string, Size>>;

const root = new URL("../..", import.meta.url);

/**
 * The sizes in the working tree, or at a commit.
 * @param commit as git names it; undefined for the working tree with its untracked files
 * @returns undefined if git knows no such commit
 */
export async function sizesAt(commit?: string): Promise<Sizes | undefined> {
  const place = commit === undefined ? ["--untracked", "-e", ""] : ["-e", "", commit];
  const args = ["grep", "--count", ...place, "--", "src/*.ts", "stages/*.ts"];
  const { stdout, success } = await new Deno.Command("git", { args, cwd: root }).output();
  if (!success) return undefined;
  return sizesOf(new TextDecoder().decode(stdout).trim().split("\n"));
}

/** The sizes told by lines `path:count`, with `commit:` before them or not. */
export function sizesOf(counted: readonly string[]): Sizes {
  const sizes: Record<string, Size> = {};
  for (const line of counted) {
    const [path, count] = line.split(":").slice(-2);
    const { lines, files } = sizes[wingOf(path)] ?? { lines: 0, files: 0 };
    sizes[wingOf(path)] = { lines: lines + Number(count), files: files + 1 };
  }
  return Object.fromEntries(Object.keys(sizes).sort().map((wing) => [wing, sizes[wing]]));
}

/** The folder that a file counts for: a wing, in the engine one of its four libraries. */
function wingOf(path: string): string {
  const parts = path.split("/").slice(0, -1);
  if (parts[0] === "stages") return "stages";
  return parts.slice(0, parts[1] === "engine" ? 3 : 2).join("/");
}

/** The size of all wings together. */
export function total(sizes: Sizes): Size {
  const all = Object.values(sizes);
  const sum = (of: (size: Size) => number) => all.reduce((sum, size) => sum + of(size), 0);
  return { lines: sum(({ lines }) => lines), files: sum(({ files }) => files) };
}
