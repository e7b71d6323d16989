/** Counts the effects of a command on files from its system calls: figures that no other process can disturb. */
import { join } from "node:path";

/** Figures of one command. */
export interface Counts {
  /** Files opened, of the project and of Sluice. */
  readonly files: number;
  /** Of these, modules of Sluice and of its packages. */
  readonly modules: number;
  /** Of these, DuckDB databases. */
  readonly databases: number;
  /** Times that it waited for the disk. */
  readonly commits: number;
  /** KiB written into the project, rounded up. */
  readonly writtenKib: number;
}

/** Names of the figures. */
export const figures = ["files", "modules", "databases", "commits", "writtenKib"] as const;

const calls = [
  "open,openat,creat,fsync,fdatasync,write,pwrite64,writev,pwritev",
  "copy_file_range,sendfile",
].join(",");

/** Folders whose files count; files of Deno and of the system elsewhere do not. */
export interface Places {
  readonly project: string;
  /** Sluice's own. */
  readonly home: string;
}

/** Runs a command under strace; its output is passed over. @throws Error if it fails. */
export async function countsOf(
  command: readonly string[],
  { project, home }: Places,
  env: Readonly<Record<string, string>>,
): Promise<Counts> {
  const folder = Deno.makeTempDirSync();
  try {
    const trace = ["-ff", "--seccomp-bpf", "-y", "-s", "0", "-e", `trace=${calls}`];
    const { code, stderr } = await new Deno.Command("strace", {
      args: [...trace, "-o", join(folder, "t"), ...command],
      cwd: project,
      env,
      stdin: "null",
    }).output();
    if (code !== 0) throw new Error(`${command.join(" ")}: ${new TextDecoder().decode(stderr)}`);
    const texts = [...Deno.readDirSync(folder)].map(({ name }) => join(folder, name));
    return countLines(texts.flatMap((path) => Deno.readTextFileSync(path).split("\n")), {
      ...{ project, home },
    });
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
}

/** Counts the lines that strace wrote. */
export function countLines(lines: readonly string[], { project, home }: Places): Counts {
  const isInside = (path: string, ...folders: string[]) =>
    folders.some((folder) => path.startsWith(folder.replace(/\/?$/, "/")));
  const opened = lines.map(openedFile).filter((path) => isInside(path, project, home));
  const isModule = (path: string) => /\.(?:[cm]?[jt]s|node|wasm)$/.test(path);
  const synced = lines.map((line) => /^f(?:data)?sync\(\d+<([^>]*)>\).*= 0$/.exec(line)?.[1] ?? "");
  const written = lines.map(bytesWritten).filter(({ path }) => isInside(path, project));
  return {
    files: opened.length,
    modules: opened.filter(isModule).length,
    databases: opened.filter((path) => path.endsWith(".duckdb")).length,
    commits: synced.filter((path) => isInside(path, project)).length,
    writtenKib: Math.ceil(written.reduce((sum, { bytes }) => sum + bytes, 0) / 1024),
  };
}

/** The path of a file that a call opened, else "". */
function openedFile(line: string): string {
  if (!/^(?:open|openat|creat)\(/.test(line) || line.includes("O_DIRECTORY")) return "";
  return /= \d+<([^>]*)>$/.exec(line)?.[1] ?? "";
}

function bytesWritten(line: string): { readonly path: string; readonly bytes: number } {
  const [, path = "", count = 0] = /^(?:p?writev?|pwrite64)\(\d+<([^>]*)>.* = (\d+)$/.exec(line) ??
    /^(?:copy_file_range|sendfile)\(.*<([^>]*)>[^<]* = (\d+)$/.exec(line) ?? [];
  return { path, bytes: Number(count) };
}
