/** Counts beside those of the committed table: what grew is a fault, what fell is to be written down. */
import { type Counts, figures } from "./counts.ts";

/** Counts by case. */
export type Table = Readonly<Record<string, Counts>>;

/** A figure that is not the table's. */
export interface Difference {
  readonly kase: string;
  readonly figure: (typeof figures)[number];
  /** Undefined if the table lacks the case. */
  readonly before: number | undefined;
  readonly now: number;
  readonly grew: boolean;
}

/** Share of the bytes written by which they may differ: texts of times are not all of one length. */
const slack = 0.05;

/** All figures that differ. */
export function differences(table: Partial<Table>, found: Table): Difference[] {
  return Object.entries(found).flatMap(([kase, counts]) =>
    figures.flatMap((figure) => {
      const [before, now] = [table[kase]?.[figure], counts[figure]];
      const allowed = figure === "writtenKib" ? Math.ceil((before ?? 0) * slack) : 0;
      if (before !== undefined && Math.abs(now - before) <= allowed) return [];
      return [{ kase, figure, before, now, grew: before === undefined || now > before }];
    })
  );
}

/** A difference in words. */
export function describe({ kase, figure, before, now, grew }: Difference): string {
  const was = before === undefined ? "no figure" : `${before}`;
  return `${grew ? "✗" : "·"} ${kase}: ${figure} ${was} -> ${now}`;
}
