/** Holds back the messages of a stage that runs ahead, until the loop comes to its step. */
import type { EncodedRow } from "../process/messages.ts";
import { Host, type LogLine } from "./context.ts";

/**
 * A host for the stages of one step that run ahead. Rows, log lines, progress and distinct programs
 * reach the real one in the order of the steps, however long each of them takes.
 */
export class HeldHost extends Host {
  readonly #said: ((host: Host) => void)[] = [];

  constructor(host: Host) {
    super(host.link, host.name, host.seed, host.plugins);
  }

  override addRows(table: string, rows: readonly EncodedRow[]): void {
    this.#said.push((host) => host.addRows(table, rows));
  }

  override note(status: Readonly<Record<string, number | string>>): void {
    this.#said.push((host) => host.note(status));
  }

  override log(line: LogLine): void {
    this.#said.push((host) => host.log(line));
  }

  override progress(): void {}

  /** Sends the held messages. */
  tell(host: Host): void {
    for (const say of this.#said.splice(0)) say(host);
    for (const digest of this.distinct) host.distinct.add(digest);
  }
}
