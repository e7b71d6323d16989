/** What a command did to files, counted from its system calls: figures that no other process can disturb. */
import { join } from "node:path";

/** Figures of one command. */
export interface Counts {
  /** Files opened, those of the system left out. */
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

/** Runs a command under strace; its output is passed over. @throws Error if it fails. */
export async function countsOf(
  command: readonly string[],
  project: string,
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
    return countLines(texts.flatMap((path) => Deno.readTextFileSync(path).split("\n")), project);
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
}

/** Counts the lines that strace wrote. */
export function countLines(lines: readonly string[], project: string): Counts {
  const opened = lines.flatMap((line) => openedFile(line) ?? []);
  const isModule = (path: string) => /\.(?:[cm]?[jt]s|node|wasm)$/.test(path);
  const written = lines.reduce((sum, line) => sum + bytesInto(line, project), 0);
  return {
    files: opened.length,
    modules: opened.filter(isModule).length,
    databases: opened.filter((path) => path.endsWith(".duckdb")).length,
    commits: lines.filter((line) => /^f(?:data)?sync\(.*= 0$/.test(line)).length,
    writtenKib: Math.ceil(written / 1024),
  };
}

/** The path of a file that a call opened; what belongs to the system or to Deno's cache is not told. */
function openedFile(line: string): string | undefined {
  if (!/^(?:open|openat|creat)\(/.test(line) || / = -1 /.test(line)) return undefined;
  const path = /= \d+<([^>]*)>/.exec(line)?.[1];
  const isSystem = path === undefined || /^\/(?:proc|sys|dev|etc|usr|lib|lib64)\//.test(path);
  return isSystem || /\/deno\/|\.so(?:\.\d+)*$/.test(path) || !/[^/]$/.test(path)
    ? undefined
    : path;
}

function bytesInto(line: string, project: string): number {
  const [, path, count] = /^(?:p?writev?|pwrite64)\(\d+<([^>]*)>.* = (\d+)$/.exec(line) ??
    /^(?:copy_file_range|sendfile)\(.*<([^>]*)>[^<]* = (\d+)$/.exec(line) ?? [];
  return path?.startsWith(`${project}/`) ? Number(count) : 0;
}
