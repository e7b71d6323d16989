/** Budget of an oracle: calls, tokens and money, of a run and of a day. */
import { existsSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { explainWrites } from "../base/atomic.ts";
import { checkedLine, readCheckedLines } from "../base/checked_lines.ts";
import { MissingPartError } from "../base/diagnostic.ts";
import { readRegularText } from "../base/regular_file.ts";
import type { ServerConfig } from "./oracle.ts";

/** Limits as a pipeline writes them; none where one is left out. */
export type BudgetLimits = Pick<
  ServerConfig,
  | "most_calls"
  | "most_tokens"
  | "most_cost"
  | "most_calls_per_day"
  | "most_tokens_per_day"
  | "most_cost_per_day"
>;

/** Cost of calls. */
interface Spent {
  readonly calls: number;
  readonly tokens: number;
  readonly cost: number;
}

const units = ["calls", "tokens", "cost"] as const;

const nothing: Spent = { calls: 0, tokens: 0, cost: 0 };

/**
 * The budget of one oracle. Costs of a run are counted here; those of a day stand in
 * `.sluice/oracle/spent/DAY/`, where each process has a file of its own: days are those of UTC, and
 * count all runs of the project.
 */
export class Budget {
  readonly #folder: string;
  readonly #file = `${crypto.randomUUID()}.ndjson`;
  #run = nothing;

  /**
   * @param root Folder that holds `.sluice`.
   * @param oracle Name of the oracle.
   * @param of Its identity: server and model.
   */
  constructor(
    root: string,
    readonly oracle: string,
    readonly of: string,
    readonly limits: BudgetLimits,
    readonly now: () => Date = () => new Date(),
  ) {
    this.#folder = join(root, ".sluice", "oracle", "spent");
  }

  /** Number of these calls, in their order, that the budget allows. @param each Most cost of each. */
  room(each: readonly Omit<Spent, "calls">[]): number {
    if (Object.values(this.limits).every((one) => one === undefined)) return each.length;
    const [run, day] = [{ ...this.#run }, { ...this.#ofDay() }];
    let count = 0;
    for (const one of each) {
      for (const total of [run, day]) {
        total.calls += 1;
        total.tokens += one.tokens;
        total.cost += one.cost;
      }
      if (this.#passed(run, day)) return count;
      count++;
    }
    return count;
  }

  /** Counts the cost of calls. */
  spend(spent: Spent): void {
    this.#run = sum(this.#run, spent);
    const { limits } = this;
    const isOfDay = units.some((unit) => limits[`most_${unit}_per_day`] !== undefined);
    if (!isOfDay) return;
    const folder = join(this.#folder, this.#day());
    explainWrites(folder, () => {
      mkdirSync(folder, { recursive: true });
      const line = checkedLine({ of: this.of, ...spent });
      Deno.writeTextFileSync(join(folder, this.#file), line, { append: true });
    });
  }

  /** The error once nothing more may be asked. @param left Calls that are still to be asked. */
  spentError(each: readonly Omit<Spent, "calls">[]): MissingPartError {
    const [first] = each;
    const [run, day] = [this.#run, this.#ofDay()].map((one) => sum(one, { calls: 1, ...first }));
    const { name, spent, most } = this.#passed(run, day)!;
    const isDay = name.endsWith("_per_day");
    const unit = name.slice("most_".length).replace("_per_day", "");
    const message = `Cannot ask oracle "${this.oracle}" any more: ${each.length} calls are left, ` +
      `and ${name} = ${most} is spent (${spent} with the next ${unit === "cost" ? "" : "call's "}` +
      `${unit})`;
    const when = isDay ? `run again on ${this.#tomorrow()} (UTC)` : "run again";
    return new MissingPartError(message, `${when}, or raise ${name}: what was answered is kept`);
  }

  #passed(run: Spent, day: Spent) {
    for (const unit of units) {
      for (const [name, spent] of [[`most_${unit}`, run], [`most_${unit}_per_day`, day]] as const) {
        const most = this.limits[name as keyof BudgetLimits];
        if (most !== undefined && spent[unit] > most) return { name, spent: spent[unit], most };
      }
    }
    return undefined;
  }

  #ofDay(): Spent {
    const folder = join(this.#folder, this.#day());
    if (!existsSync(folder)) return nothing;
    let total = nothing;
    for (const name of readdirSync(folder)) {
      const { values } = readCheckedLines(readRegularText(join(folder, name), Infinity));
      for (const one of values as (Spent & { readonly of: string })[]) {
        if (one.of === this.of) total = sum(total, one);
      }
    }
    return total;
  }

  #day(): string {
    return this.now().toISOString().slice(0, 10);
  }

  #tomorrow(): string {
    return new Date(this.now().getTime() + 86_400_000).toISOString().slice(0, 10);
  }
}

function sum(a: Spent, b: Spent): Spent {
  return { calls: a.calls + b.calls, tokens: a.tokens + b.tokens, cost: a.cost + b.cost };
}
