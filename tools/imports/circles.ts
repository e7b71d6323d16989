/** Finds circles: files that import one another, directly or through others. */
import type { FileArrow } from "./modules.ts";

/** The strongly connected sets of more than one file (Tarjan 1972), each sorted. */
export function circles(arrows: readonly FileArrow[]): string[][] {
  const next = new Map<string, string[]>();
  for (const { from, to } of arrows) {
    if (to !== "") next.set(from, [...next.get(from) ?? [], to]);
  }
  const order = new Map<string, number>();
  const lowest = new Map<string, number>();
  const stack: string[] = [];
  const found: string[][] = [];
  const visit = (file: string) => {
    order.set(file, order.size);
    lowest.set(file, order.get(file)!);
    stack.push(file);
    for (const target of next.get(file) ?? []) {
      if (!order.has(target)) visit(target);
      if (stack.includes(target)) {
        lowest.set(file, Math.min(lowest.get(file)!, lowest.get(target)!));
      }
    }
    if (lowest.get(file) !== order.get(file)) return;
    const circle = stack.splice(stack.indexOf(file));
    if (circle.length > 1) found.push(circle.sort());
  };
  for (const file of next.keys()) if (!order.has(file)) visit(file);
  return found;
}
