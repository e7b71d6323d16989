/** The state of a loop after the step where a measure was best, which the loop hands on in the end. */
import type { EncodedRow } from "../process/messages.ts";
import { decodeCell } from "../process/messages.ts";
import type { BestOf } from "../read/resolved.ts";

/** A state as `[port, type, bytes]`. */
type EncodedState = [string, string, Uint8Array][];

/** Follows one measure of one stage of a loop, and keeps the state of its best step. */
export class BestState {
  readonly #stage: string;
  readonly #measure: string;
  readonly #sign: number;
  /** Values by the step of their rows: stages may run ahead. */
  readonly #said = new Map<number, number>();
  #best: { readonly step: number; readonly value: number } | undefined;
  #state: EncodedState = [];

  /** @param loop name of the loop. */
  constructor(loop: string, { of, want }: BestOf) {
    const [stage, measure] = of.split(".");
    this.#stage = `${loop}.${stage}`;
    this.#measure = measure;
    this.#sign = want === "most" ? -1 : 1;
  }

  /** Reads rows before they go to the runner; of a policy's measures that over all prompts counts. */
  see(table: string, rows: readonly EncodedRow[]): void {
    for (const row of rows) {
      if (row.stage !== this.#stage) continue;
      const isMeasure = table === "evaluation" && row.measure === this.#measure &&
        row.subject_kind === "policy" && (row.group ?? null) === null;
      if (!isMeasure && !(table === "metric" && row.name === this.#measure)) continue;
      this.#said.set(Number(row.step), Number(decodeCell(row.value)));
    }
  }

  /** After a step: keeps its state if the measure is better than before; NaN never is. */
  async keep(step: number, encode: () => Promise<EncodedState>): Promise<void> {
    const value = this.#said.get(step);
    this.#said.delete(step);
    if (value === undefined || Number.isNaN(value)) return;
    if (this.#best && this.#sign * value >= this.#sign * this.#best.value) return;
    this.#best = { step, value };
    this.#state = await encode();
  }

  /**
   * The state of the best step, and a line that names the step.
   *
   * @throws Error if the measure had no value in the whole loop.
   */
  handOn(): { readonly state: EncodedState; readonly line: string } {
    if (!this.#best) {
      throw new Error(
        `best: "${this.#stage}" wrote no number called ${this.#measure}; ` +
          `its measures: sluice query "select distinct measure from evaluation"`,
      );
    }
    const { step, value } = this.#best;
    return { state: this.#state, line: `hands on step ${step}: ${this.#measure} ${value}` };
  }

  /** Pieces of a checkpoint. */
  save(): [string, Uint8Array][] {
    if (!this.#best) return [];
    const { step, value } = this.#best;
    const types = Object.fromEntries(this.#state.map(([name, type]) => [name, type]));
    const head = new TextEncoder().encode(JSON.stringify({ step, value: `${value}`, types }));
    return [
      ["best", head],
      ...this.#state.map(([name, , bytes]): [string, Uint8Array] => {
        return [`best:${name}`, bytes];
      }),
    ];
  }

  load(pieces: ReadonlyMap<string, Uint8Array>): void {
    const head = pieces.get("best");
    if (!head) return;
    const { step, value, types } = JSON.parse(new TextDecoder().decode(head));
    this.#best = { step, value: Number(value) };
    this.#state = Object.entries(types as Record<string, string>)
      .map(([name, type]) => [name, type, pieces.get(`best:${name}`)!]);
  }
}
