/** Reads the bounds of a number that is found by halving. */
import { shown } from "./findings.ts";
import { tellsApart } from "./nested/halving.ts";
import type { NumberRange } from "./spec.ts";
import type { TableReader } from "./table_reader.ts";

/** Default number of halvings: 256 numbers, 511 where it may stop before. */
const fewBits = 8;
const mostBits = 24;

/** The range of a hole's number; undefined if something is wrong with it, which is reported. */
export function readRange(reader: TableReader): NumberRange | undefined {
  const ends = readEnds(reader);
  const scale = readScale(reader);
  const bits = reader.whole("bits", 1, mostBits) ?? fewBits;
  const stop = reader.probability("stop");
  if (!ends || !scale) return undefined;
  const [low, high] = ends;
  if (scale === "log" && low <= 0) {
    return wrong(reader, `number begins at ${low} on a logarithmic scale, wanted above 0`);
  }
  const range = { low, high, scale, bits, ...(stop !== undefined && { stop }) };
  if (tellsApart(range)) return range;
  return wrong(reader, `${bits} halvings of ${low} … ${high} are finer than doubles tell apart`);
}

function readEnds(reader: TableReader): readonly [number, number] | undefined {
  const value = reader.raw("number");
  if (value === undefined) {
    const message = `Cannot read ${reader.what}: it has neither productions nor bounds`;
    const hint = "write number = [low, high], and perhaps scale, bits and stop";
    reader.findings.add("unbounded-number", message, reader.span("type"), hint);
    return undefined;
  }
  const isPair = Array.isArray(value) && value.length === 2 &&
    value.every((end) => typeof end === "number");
  if (!isPair) return wrong(reader, `number is ${shown(value)}, wanted [low, high]`);
  const [low, high] = value as [number, number];
  if (Number.isFinite(low) && Number.isFinite(high) && low < high) return [low, high];
  return wrong(reader, `number is [${low}, ${high}], wanted finite bounds, the lower one first`);
}

function readScale(reader: TableReader): NumberRange["scale"] | undefined {
  const scale = reader.raw("scale") ?? "linear";
  if (scale === "linear" || scale === "log") return scale;
  const message = `Cannot read ${reader.what}: scale is ${shown(scale)}, wanted "linear" or "log"`;
  reader.findings.add("wrong-type", message, reader.span("scale"));
  return undefined;
}

function wrong(reader: TableReader, what: string): undefined {
  const message = `Cannot read ${reader.what}: ${what}`;
  reader.findings.add("unbounded-number", message, reader.span("number"));
}
