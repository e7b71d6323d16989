/** Runs the real command line as a process, in a throw-away project of its own. */
import { cpSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** Folder of Sluice itself. */
export const home = fileURLToPath(new URL("../../", import.meta.url));

/** How a command ended, and all that it said. */
export interface Ended {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** The permissions of the task `sluice`, read from deno.json; native code and launchers stand in Sluice's folder. */
export const permissions = taskPermissions();

function taskPermissions(): readonly string[] {
  const { tasks } = JSON.parse(Deno.readTextFileSync(join(home, "deno.json")));
  const words: string[] = tasks.sluice.split(" ");
  const flags = words.filter((word) => word.startsWith("--"));
  return flags.map((flag) =>
    flag.replace(",$HOME/.config/sluice", "")
      .replace("=./node_modules", `=${join(home, "node_modules")}`)
      .replaceAll("./src/", join(home, "src/"))
  );
}

/** How a command is started: variables of its environment, in a group of its own, by another entry. */
export interface StartOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly detached?: boolean;
  readonly entry?: string;
}

/** A project in a temporary folder; commands run there and may write only there. */
export class CommandLine {
  private constructor(readonly root: string) {}

  /** An empty project, or one with files of the repository; its folder's name begins as told. */
  static make(files: readonly string[] = [], folder = ""): CommandLine {
    const project = new CommandLine(Deno.makeTempDirSync({ prefix: `${folder}sluice-cli-` }));
    project.write("deno.json", "{}");
    for (const file of files) project.copy(file);
    return project;
  }

  path(...names: string[]): string {
    return join(this.root, ...names);
  }

  /** Copies a file or folder of the repository to the same place in the project. */
  copy(file: string): void {
    cpSync(join(home, file), this.path(file), { recursive: true });
  }

  /** Writes a file, and the folders above it. */
  write(name: string, text: string): void {
    Deno.mkdirSync(dirname(this.path(name)), { recursive: true });
    Deno.writeTextFileSync(this.path(name), text);
  }

  read(name: string): string {
    return Deno.readTextFileSync(this.path(name));
  }

  /** Replaces text that must be there. */
  edit(name: string, found: string, wanted: string): void {
    const text = this.read(name);
    if (!text.includes(found)) throw new Error(`${name} does not contain ${found}`);
    this.write(name, text.replace(found, wanted));
  }

  /** Names in a folder of the project, sorted. */
  list(folder = "."): string[] {
    return [...Deno.readDirSync(this.path(folder))].map(({ name }) => name).sort();
  }

  /** Runs `sluice ARGS` in the project's folder, as a person who sees no colours. */
  async sluice(...args: string[]): Promise<Ended> {
    return await this.sluiceWith({}, ...args);
  }

  /** As `sluice`, with variables of the environment. */
  async sluiceWith(env: Readonly<Record<string, string>>, ...args: string[]): Promise<Ended> {
    return await this.#ended(this.start(args, { env }));
  }

  /** Rows of an SQL query over the last run. */
  async query<Row = Record<string, unknown>>(sql: string): Promise<Row[]> {
    const { code, out, err } = await this.sluice(
      ...["query", "--run", "last", "--format", "json", sql],
    );
    if (code !== 0) throw new Error(err);
    return JSON.parse(out);
  }

  /** As `sluice`, by code that takes its output for a colour terminal. */
  async sluiceOnScreen(...args: string[]): Promise<Ended> {
    const env = { NO_COLOR: "", TERM: "xterm-256color" };
    return await this.#ended(this.start(args, { env, entry: "tests/cli/as_on_screen.ts" }));
  }

  async #ended(child: Deno.ChildProcess): Promise<Ended> {
    const { code, stdout, stderr } = await child.output();
    return { code, out: this.#text(stdout), err: this.#text(stderr) };
  }

  /** Starts `sluice ARGS`, and kills it without a word once the time has come. */
  async killed(args: readonly string[], isDue: () => boolean): Promise<void> {
    const child = this.start(args);
    while (!isDue()) await new Promise((resolve) => setTimeout(resolve, 2));
    child.kill("SIGKILL");
    await child.output();
  }

  /** Starts `sluice ARGS` as a process that a test may kill; detached, it leads its own group. */
  start(
    args: readonly string[],
    options: StartOptions = {},
  ): Deno.ChildProcess {
    const main = join(home, options.entry ?? "src/cli/main.ts");
    const config = ["--config", join(home, "deno.json"), "--quiet"];
    const command = new Deno.Command(Deno.execPath(), {
      args: ["run", ...config, ...permissions, main, ...args],
      cwd: this.root,
      env: { NO_COLOR: "1", XDG_CONFIG_HOME: this.path(".config"), ...options.env },
      stdin: "null",
      stdout: "piped",
      stderr: "piped",
      detached: options.detached,
    });
    return command.spawn();
  }

  /** Text with the folder of this project as PROJECT, so that it can be compared. */
  #text(bytes: Uint8Array): string {
    return new TextDecoder().decode(bytes).replaceAll(this.root, "PROJECT");
  }

  remove(): void {
    Deno.removeSync(this.root, { recursive: true });
  }
}

/** Runs a test with a project of its own. */
export async function withProject(
  files: readonly string[],
  test: (project: CommandLine) => Promise<void>,
): Promise<void> {
  const project = CommandLine.make(files);
  try {
    await test(project);
  } finally {
    project.remove();
  }
}
