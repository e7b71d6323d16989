/** Remembered answers of oracles: one for each model, computing library, and ids. */
import { existsSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { explainWrites } from "../base/atomic.ts";
import { checkedLine, readCheckedLines } from "../base/checked_lines.ts";
import { digestOf } from "../base/digest.ts";
import { readRegularText } from "../base/regular_file.ts";
import { JsonSeals } from "../base/sealed_json.ts";
import type { OracleAnswer, OracleCall, OracleDraw, OracleRecord } from "./oracle.ts";

/** Name of a call: digest of its model, the library that computes, and its ids. */
export function callKey(
  { model_sha256, computes }: Pick<OracleRecord, "model_sha256" | "computes">,
  { prompt_ids, ids }: OracleCall,
): string {
  return digestOf({ model: model_sha256, computes, prompt_ids: [...prompt_ids], ids: [...ids] });
}

/** Name of an answer that an oracle wrote. */
export function drawKey(
  { model_sha256, computes }: Pick<OracleRecord, "model_sha256" | "computes">,
  { prompt_ids, ...draw }: OracleDraw,
): string {
  return digestOf({
    model: model_sha256,
    computes,
    prompt_ids: [...prompt_ids],
    draw: { ...draw },
  });
}

/**
 * The memo of one oracle, `.sluice/oracle/<digest>/`: each process appends to a file of its own. Lines
 * are sealed by the user's key; lines of others count as absent, and their calls are asked again.
 */
export class CallMemo {
  readonly #folder: string;
  readonly #seals: JsonSeals;
  readonly #file = `${crypto.randomUUID()}.ndjson`;
  #lines: Map<string, unknown> | undefined;

  /** @param root Folder that holds `.sluice`. */
  constructor(root: string, { model_sha256, computes }: OracleRecord) {
    this.#folder = join(root, ".sluice", "oracle", digestOf([model_sha256, computes]));
    this.#seals = new JsonSeals(root);
  }

  /** Remembered answer to a call; undefined if there is none. */
  get(key: string): OracleAnswer | undefined {
    const line = (this.#lines ??= this.#read()).get(key);
    return line === undefined ? undefined : answerOf(this.#seals.open(key, line));
  }

  /** Keeps the first answer: a server may answer two stages that ask at once differently, by its batches. */
  put(key: string, { ids, log_probs, seconds, cost }: OracleAnswer): void {
    if (this.get(key) !== undefined) return;
    const line = { key, ...this.#seals.seal(key, { ids, log_probs, seconds, cost }) };
    explainWrites(this.#folder, () => {
      mkdirSync(this.#folder, { recursive: true });
      Deno.writeTextFileSync(join(this.#folder, this.#file), checkedLine(line), { append: true });
    });
    const { key: _, ...sealed } = line;
    (this.#lines ??= this.#read()).set(key, sealed);
  }

  #read(): Map<string, unknown> {
    const found = new Map<string, unknown>();
    if (!existsSync(this.#folder)) return found;
    for (const name of readdirSync(this.#folder).filter((one) => one.endsWith(".ndjson"))) {
      const { values } = readCheckedLines(readRegularText(join(this.#folder, name), Infinity));
      for (const value of values) {
        const { key, ...line } = value as { readonly key: string };
        found.set(key, line);
      }
    }
    return found;
  }
}

function answerOf(record: Record<string, unknown> | undefined): OracleAnswer | undefined {
  return record as OracleAnswer | undefined;
}
