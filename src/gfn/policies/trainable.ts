/** Which parameters of a network are learned: frozen ones have no optimiser state and stay. */
import { inputError } from "../../base/diagnostic.ts";
import type { Slot } from "../parameters/parameter_layout.ts";

/** A stretch of the flat vector: [begin, end). */
export interface Range {
  readonly begin: number;
  readonly end: number;
}

/**
 * The stretches of a vector that are learned, neighbours joined.
 *
 * @param frozen Names of tensors, or how names begin.
 */
export function trainableRanges(slots: readonly Slot[], frozen: readonly string[]): Range[] {
  const ranges: { begin: number; end: number }[] = [];
  for (const { name, offset, size } of slots) {
    if (size === 0 || frozen.some((start) => name.startsWith(start))) continue;
    const last = ranges.at(-1);
    if (last?.end === offset) last.end += size;
    else ranges.push({ begin: offset, end: offset + size });
  }
  return ranges;
}

/** Number of parameters in them. */
export function rangeCount(ranges: readonly Range[]): number {
  return ranges.reduce((sum, { begin, end }) => sum + end - begin, 0);
}

/** Calls `visit` with each stretch and where it lies when they stand one behind the other. */
export function forEachRange(
  ranges: readonly Range[],
  visit: (range: Range, packed: number) => void,
): void {
  let packed = 0;
  for (const range of ranges) {
    visit(range, packed);
    packed += range.end - range.begin;
  }
}

/** @throws InputError if a name meets no tensor, or nothing is left to learn. */
export function checkFrozen(slots: readonly Slot[], frozen: readonly string[]): void {
  const names = slots.map(({ name }) => name);
  const unknown = frozen.find((start) => !names.some((name) => name.startsWith(start)));
  if (unknown !== undefined) {
    const message = `Cannot freeze "${unknown}": no parameter's name begins so`;
    const hint = `the parameters are ${names.join(", ")}`;
    throw inputError("policy/frozen", message, undefined, hint);
  }
  if (rangeCount(trainableRanges(slots, frozen)) > 0) return;
  const hint = "leave out `frozen` where nothing is to be learned, and do not step the policy";
  throw inputError("policy/frozen", "Cannot freeze every parameter", undefined, hint);
}
