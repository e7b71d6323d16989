/** A minimal assembler: machine code written down line by line, with labels for jumps. */

/** One line: a label, an instruction of fixed bytes, or a jump of which the target is a label. */
export type CodeLine =
  | { readonly label: string }
  | { readonly bytes: readonly number[] }
  | { readonly length: number; readonly to: string; readonly encode: EncodeJump };

/** The bytes of a jump, from the distance between its own address and its target. */
type EncodeJump = (distance: number) => readonly number[];

/** The bytes of a listing. */
export function assemble(lines: readonly CodeLine[]): Uint8Array<ArrayBuffer> {
  const places = new Map<string, number>();
  let size = 0;
  for (const line of lines) {
    if ("label" in line) places.set(line.label, size);
    else size += "bytes" in line ? line.bytes.length : line.length;
  }
  const code: number[] = [];
  for (const line of lines) {
    if ("bytes" in line) code.push(...line.bytes);
    else if ("to" in line) code.push(...line.encode(placeOf(line.to, places) - code.length));
  }
  return Uint8Array.from(code);
}

function placeOf(label: string, places: ReadonlyMap<string, number>): number {
  const place = places.get(label);
  if (place === undefined) throw new Error(`internal: no label ${label}`);
  return place;
}

/** The four bytes of a word, least significant first. */
export function word(value: number): number[] {
  return [0, 8, 16, 24].map((shift) => (value >>> shift) & 0xff);
}
