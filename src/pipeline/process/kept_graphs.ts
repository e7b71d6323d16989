/** Module graphs as they are kept for the next run: a table of files, and the rows that each graph names. */
import { isRecord } from "../../base/record.ts";
import type { HashedFile } from "./hashed_file.ts";
import type { FileContent, KnownFiles } from "./known_files.ts";

/** A graph, and the content of all files that it hangs on. */
export interface KnownGraph {
  readonly digest: string;
  readonly contents: readonly FileContent[];
}

/** Graphs of an earlier run. */
export interface KeptGraphs {
  readonly files: readonly HashedFile[];
  readonly graphs: Map<string, KnownGraph>;
}

/** Graphs whose files are known as they were read, by the entry; others have ended. */
export function toKeep(graphs: ReadonlyMap<string, KnownGraph>, known: KnownFiles) {
  const holds = ({ path, sha256 }: FileContent) => known.kept(path)?.sha256 === sha256;
  const current = [...graphs].filter(([, { contents }]) => contents.every(holds));
  const paths = [
    ...new Set(current.flatMap(([, graph]) => graph.contents.map(({ path }) => path))),
  ];
  const rows = new Map(paths.map((path, row) => [path, row]));
  const kept = current.map(([entry, { digest, contents }]) =>
    [entry, { digest, files: contents.map(({ path }) => rows.get(path)!) }] as const
  );
  return { files: paths.map((path) => known.kept(path)!), graphs: Object.fromEntries(kept) };
}

/** The graphs of a record that `toKeep` made; none if it has another shape. */
export function readKept({ files, graphs }: Readonly<Record<string, unknown>>): KeptGraphs {
  if (!Array.isArray(files) || !isRecord(graphs)) return { files: [], graphs: new Map() };
  const table = files as HashedFile[];
  const read = Object.entries(graphs as Record<string, { digest: string; files: number[] }>);
  const known = read.map(([entry, graph]) => {
    const contents = graph.files.map((row) => table[row]);
    return [entry, { digest: graph.digest, contents }] as const;
  });
  return { files: table, graphs: new Map(known) };
}
