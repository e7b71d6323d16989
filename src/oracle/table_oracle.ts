/** An oracle that is a list: texts with their log probabilities, for tests and small cases. */
import { inputError } from "../base/diagnostic.ts";
import { nearest } from "../base/nearest.ts";
import type { ScoredText, TextIds } from "../models/text/mod.ts";
import type { OracleAnswer, OracleBackend, OracleCall, OracleProbe } from "./oracle.ts";
import type { TableEntry } from "./oracle.ts";

/** Oracle whose tokens are whole texts: each listed text, and each text before one. */
export class TableOracle implements OracleBackend {
  readonly #ids = new Map<string, number>();
  readonly #logProbs = new Map<string, number>();

  /** @throws InputError if a text is listed twice, is empty, or has no finite log probability. */
  constructor(entries: readonly TableEntry[]) {
    for (const [i, entry] of entries.entries()) {
      const { given = "", text, log_prob } = entry;
      const where = `entry ${i + 1}`;
      if (text === "") throw wrong(`${where} has an empty text`);
      if (!Number.isFinite(log_prob) || log_prob > 0) {
        throw wrong(`the log probability of ${where}, ${JSON.stringify(text)}, is ${log_prob}`);
      }
      const key = keyOf(this.#idsOf(given), this.#idsOf(text));
      if (this.#logProbs.has(key)) throw wrong(`${where}, ${JSON.stringify(text)}, is there twice`);
      this.#logProbs.set(key, log_prob);
    }
  }

  encode(texts: readonly ScoredText[]): Promise<readonly TextIds[]> {
    return Promise.resolve(texts.map(({ given = "", scored }) => {
      if (scored === "") throw wrong("an empty text was asked for");
      const [prompt, ids] = [given, scored].map((text) => this.#known(text));
      if (!this.#logProbs.has(keyOf(prompt, ids))) throw unlisted(scored, given, this.#ids.keys());
      return { ids: [...prompt, ...ids], from: prompt.length };
    }));
  }

  score(calls: readonly OracleCall[]): Promise<readonly OracleAnswer[]> {
    return Promise.resolve(calls.map(({ prompt_ids, ids }) => {
      const found = this.#logProbs.get(keyOf(prompt_ids, ids));
      return { ids, log_probs: [found ?? -Infinity], seconds: 0, cost: 0 };
    }));
  }

  probe(): Promise<OracleProbe> {
    const tokens = this.#logProbs.size;
    return Promise.resolve({ tokens, largest_difference: 0, largest_mass_error: 0 });
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  #idsOf(text: string): number[] {
    if (text === "") return [];
    const id = this.#ids.get(text) ?? this.#ids.size;
    this.#ids.set(text, id);
    return [id];
  }

  #known(text: string): number[] {
    const id = this.#ids.get(text);
    if (text === "" || id !== undefined) return id === undefined ? [] : [id];
    throw unlisted(text, "", this.#ids.keys());
  }
}

function keyOf(prompt: readonly number[], ids: readonly number[]): string {
  return `${prompt.join(" ")}|${ids.join(" ")}`;
}

function unlisted(text: string, given: string, known: Iterable<string>) {
  const after = given === "" ? "" : ` given ${shown(given)}`;
  const near = nearest(text, [...known].filter((one) => one !== text));
  const hint = near === undefined ? "add it" : `did you mean ${shown(near)}? Add what is missing`;
  const message = `Cannot ask the table: it does not list ${shown(text)}${after}`;
  return inputError("oracle/unlisted", message, undefined, hint);
}

function shown(text: string): string {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text);
}

function wrong(what: string) {
  const hint = "list each text once, with a log probability of 0 nats or less";
  return inputError("oracle/table", `Cannot use the table: ${what}`, undefined, hint);
}
