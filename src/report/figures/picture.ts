/** A picture of a report: its name, its texts, and its drawing in a given width. */
import type { TopLevelSpec } from "./svg.ts";
import { linesOf } from "./text_width.ts";

/** Widths in pixels that pictures are drawn in: of a page, and of a telephone. */
export const widths = { page: 640, phone: 340 } as const;

/** One picture. */
export interface Picture {
  /** Its file's name without ending. */
  readonly name: string;
  /** Text for readers who do not see it. */
  readonly alt: string;
  /** How to read it: a sentence or two. */
  readonly caption: string;
  /** Its drawing, in pixels of width from edge to edge. */
  readonly draw: (width: number) => TopLevelSpec;
}

/** Frame of all drawings: the whole width, labels included, belongs to the picture. */
export function frame(width: number, height: number | { readonly step: number }) {
  return {
    $schema: "https://vega.github.io/schema/vega-lite/v6.json",
    width,
    height,
    autosize: { type: "fit-x", contains: "padding" },
    padding: { left: 2, right: 8, top: 6, bottom: 2 },
  } as const;
}

/** A label in lines, as an axis draws it: the text stands in the data with line ends in it. */
export const brokenLabel = "split(datum.label, '\\n')";

/** Height of a row of a picture, for labels of so many lines. */
export function stepOf(labels: readonly string[]): { readonly step: number } {
  return { step: 14 + 15 * Math.max(...labels.map((text) => text.split("\n").length)) };
}

/** A text of unknown origin as a part of a file's name. */
export function fileWord(text: string): string {
  const word = text.normalize("NFKD").toLowerCase().replace(/[^a-z0-9]+/g, "_");
  return word.slice(0, 40).replace(/^_+|_+$/g, "") || "x";
}

/** The name of a column as the title of an axis: whole, in as many lines as it needs. */
export function axisTitle(text: string, width: number): string[] {
  return linesOf(text, Math.floor(width / 9));
}
