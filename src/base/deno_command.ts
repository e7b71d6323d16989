/** Starts Deno by its name, with a scrubbed environment, and refuses another version of it. */
import { MissingPartError } from "./diagnostic.ts";

/** What a child may be given beside its arguments. */
export interface DenoCommandOptions {
  readonly cwd?: string;
  /** Added to the two variables that keep Deno quiet; nothing else is inherited. */
  readonly env?: Readonly<Record<string, string>>;
}

const quietEnvironment = { NO_COLOR: "1", DENO_NO_UPDATE_CHECK: "1", DENO_NO_PROMPT: "1" };

/**
 * A command that runs `deno` (the one on the PATH, so that `--allow-run=deno` is enough) with all
 * three standard streams piped and none of the caller's environment. The child is in a process
 * group of its own: a terminal's Ctrl-C reaches the runner alone, also while the child starts.
 */
export function denoCommand(
  args: readonly string[],
  options: DenoCommandOptions = {},
): Deno.Command {
  return new Deno.Command("deno", {
    args: [...args],
    cwd: options.cwd,
    clearEnv: true,
    env: { ...quietEnvironment, ...options.env },
    detached: true,
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  });
}

let checked: Promise<void> | undefined;

/**
 * Checks once per process that the `deno` which children run is of the runner's own version.
 *
 * @throws MissingPartError if there is no `deno` on the PATH, or one of another version.
 */
export function requireSameDeno(): Promise<void> {
  checked ??= childVersion().then(checkDenoVersion);
  return checked;
}

/** @throws MissingPartError if `version` differs from the version that runs this code. */
export function checkDenoVersion(version: string): void {
  if (version === Deno.version.deno) return;
  throw new MissingPartError(
    `Cannot start a child process: "deno" on the PATH is version ${version}, ` +
      `this process runs ${Deno.version.deno}`,
    `put Deno ${Deno.version.deno} first on the PATH, or start with npx -y deno@${Deno.version.deno}`,
  );
}

/** The error for a PATH without Deno, or without the permission to run it. */
export function missingDeno(cause: unknown): MissingPartError {
  const reason = cause instanceof Error ? cause.message : `${cause}`;
  return new MissingPartError(
    `Cannot start a child process "deno": ${reason}`,
    `put Deno ${Deno.version.deno} on the PATH and allow --allow-run=deno`,
  );
}

async function childVersion(): Promise<string> {
  try {
    const child = denoCommand(["--version"]).spawn();
    await child.stdin.close();
    const { stdout } = await child.output();
    return /^deno (\S+)/.exec(new TextDecoder().decode(stdout))?.[1] ?? "unknown";
  } catch (error) {
    throw missingDeno(error);
  }
}
