/** Compares counts with those of the committed table: growth is a fault, a fall is to be written down. */
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

/**
 * Share by which a figure may differ: a feature brings modules, and texts of times are not all of one
 * length. The table stays, so that small steps add up to a fault.
 */
const slack: Partial<Record<(typeof figures)[number], number>> = {
  files: 0.02,
  modules: 0.02,
  writtenKib: 0.05,
};

/** All figures that differ. */
export function differences(table: Partial<Table>, found: Table): Difference[] {
  return Object.entries(found).flatMap(([kase, counts]) =>
    figures.flatMap((figure) => {
      const [before, now] = [table[kase]?.[figure], counts[figure]];
      const allowed = Math.ceil((before ?? 0) * (slack[figure] ?? 0));
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
