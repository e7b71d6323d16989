/** Where each key and value of a TOML file stands, from the syntax tree of toml-eslint-parser. */
import { type AST, parseTOML } from "toml-eslint-parser";
import type { Span } from "../../base/span.ts";
import type { Path } from "./path.ts";

type Range = readonly [start: number, end: number];
interface Place {
  key?: Range;
  value?: Range;
  /** False while only a longer header or dotted key has mentioned the path. */
  explicit: boolean;
}

/** Answers for paths; `undefined` where a path is not written in the file. */
export class Positions {
  readonly #places = new Map<string, Place>();
  readonly #lineStarts: number[] = [0];

  /** @param text must be valid TOML. */
  constructor(readonly file: string, readonly text: string) {
    for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) {
      this.#lineStarts.push(at + 1);
    }
    for (const node of parseTOML(text, { tomlVersion: "1.1" }).body[0].body) {
      if (node.type === "TOMLTable") this.#table(node);
      else this.#keyValue([], node);
    }
  }

  spanOf(path: Path, which: "key" | "value"): Span | undefined {
    if (path.length === 0) return this.span([0, this.text.split(/\r?\n/, 1)[0].length]);
    const place = this.#places.get(JSON.stringify(path));
    const range = which === "key" ? place?.key ?? place?.value : place?.value ?? place?.key;
    return range && this.span(range);
  }

  /** The span of a range of UTF-16 offsets. */
  span([start, end]: Range): Span {
    const [line, column] = this.#lineAndColumn(start);
    const [endLine, endColumn] = this.#lineAndColumn(end);
    return { file: this.file, line, column, endLine, endColumn };
  }

  #lineAndColumn(offset: number): [number, number] {
    let [low, high] = [0, this.#lineStarts.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.#lineStarts[middle] <= offset) low = middle;
      else high = middle - 1;
    }
    return [low + 1, [...this.text.slice(this.#lineStarts[low], offset)].length + 1];
  }

  #table(node: AST.TOMLTable): void {
    const isList = node.kind === "array";
    const whole = node.resolvedKey;
    // Every part of the header, beside the place in a list that it stands for.
    let depth = 0;
    for (const key of node.key.keys) {
      depth++;
      this.#place(whole.slice(0, depth), { key: key.range, explicit: false });
      while (typeof whole[depth] === "number") {
        depth++;
        this.#place(whole.slice(0, depth), { key: key.range, explicit: false });
      }
    }
    const last = node.key.keys[node.key.keys.length - 1];
    if (!isList || whole.length > 0) {
      this.#place(whole, { key: last.range, value: node.key.range, explicit: true });
    }
    for (const child of node.body) this.#keyValue(whole, child);
  }

  #keyValue(table: Path, node: AST.TOMLKeyValue): void {
    const keys = node.key.keys.map((key) => key.type === "TOMLBare" ? key.name : key.value);
    keys.forEach((_, i) => {
      const explicit = i === keys.length - 1;
      const value = explicit ? node.value.range : undefined;
      this.#place([...table, ...keys.slice(0, i + 1)], {
        key: node.key.keys[i].range,
        value,
        explicit,
      });
    });
    this.#content([...table, ...keys], node.value);
  }

  #content(path: Path, node: AST.TOMLContentNode): void {
    if (node.type === "TOMLInlineTable") {
      for (const child of node.body) this.#keyValue(path, child);
    } else if (node.type === "TOMLArray") {
      node.elements.forEach((element, i) => {
        this.#place([...path, i], { value: element.range, explicit: true });
        this.#content([...path, i], element);
      });
    }
  }

  #place(path: Path, place: Place): void {
    const name = JSON.stringify(path);
    const known = this.#places.get(name);
    if (!known || (place.explicit && !known.explicit)) this.#places.set(name, place);
  }
}
