/** A module of the user's that the runner asks, in a process of its own without a single permission. */
import { InputError, inputError } from "../../base/diagnostic.ts";
import { liesOutside } from "../../base/regular_file.ts";
import { createLayout, findSluiceHome, projectLayout } from "../project/project.ts";
import { writeEntry } from "./entry.ts";
import type { StageFault } from "./messages.ts";
import { noGrants } from "./permissions.ts";
import { StageProcess } from "./process.ts";

/** Milliseconds that an answer may take. A round number. */
const longest = 300_000;

/**
 * The process of a module of a project, not yet started.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { askedModule } from "./asked_module.ts";
 * const folder = Deno.makeTempDirSync();
 * assert.throws(() => askedModule("/etc/hosts", folder), /outside of the project/);
 * Deno.removeSync(folder, { recursive: true });
 * ```
 *
 * @param file absolute; its default export has `answer`.
 * @throws InputError if the file lies outside of the project: a stage may name it, and messages quote modules.
 */
export function askedModule(file: string, root: string): AskedModule {
  if (!liesOutside(file, [root])) return new AskedModule(file, root);
  throw inputError("plugin/outside", `Cannot use ${file}: it lies outside of the project ${root}`);
}

/** The process of one module, started when it is first asked; questions are answered one by one. */
export class AskedModule {
  #process: StageProcess | undefined;
  #last: Promise<unknown> = Promise.resolve();

  /** Starts nothing; the module is of the project at `root`. */
  constructor(readonly file: string, readonly root: string) {}

  /** The answer. @throws InputError if the module cannot be loaded, throws, or does not end. */
  ask(ask: unknown): Promise<unknown> {
    const answer = this.#last.then(() => this.#ask(ask));
    this.#last = answer.catch(() => {});
    return answer;
  }

  /** Ends the process; an answer that is awaited fails. */
  async close(): Promise<void> {
    this.#process?.kill();
    await this.#process?.end();
  }

  async #ask(ask: unknown): Promise<unknown> {
    const process = this.#process ??= this.#start();
    const timer = setTimeout(() => process.kill(), longest);
    await process.send({ type: "call", ask });
    const received = await process.receive();
    clearTimeout(timer);
    const message = received?.message;
    if (message?.type === "result") return message.value;
    if (message?.type === "failed") throw this.#failed(message.fault);
    this.#process = undefined; // the next question has a new one
    const { lastWords } = await process.end();
    const why = process.killed ? `no answer within ${longest / 1000} seconds` : lastWords;
    throw this.#refused(why.trim() || "its process ended");
  }

  #start(): StageProcess {
    const [layout, home] = [projectLayout(this.root), findSluiceHome()];
    createLayout(layout);
    const kinds = { [this.file]: this.file };
    const entry = writeEntry(layout, home, { purpose: "answer", kinds, plugins: [] });
    return new StageProcess({ entry, grants: noGrants, home, cwd: layout.root });
  }

  #failed({ message, diagnostics }: StageFault): Error {
    return diagnostics ? new InputError(diagnostics) : this.#refused(message);
  }

  #refused(why: string): Error {
    return inputError("plugin/failed", `Cannot use ${this.file}: ${why}`);
  }
}
