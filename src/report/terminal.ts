/** The terminal: width, colour, and whether a person is looking. */
import pc from "picocolors";
import { printableJson, printableStyled } from "../base/printable.ts";
import { fitted } from "./wrapped.ts";

/** Output of the command line, for its other files. */
export interface Terminal {
  /** True if standard error is a terminal, where progress may be redrawn. */
  readonly live: boolean;
  /** Columns; 80 where unknown. */
  readonly width: number;
  readonly colour: ReturnType<typeof pc.createColors>;
  /** A line of result for people, to standard output; like all lines for them, fit to be printed. */
  out(text: string): void;
  /** A line of result for programs, JSON, to standard output; characters that would act on a terminal are escaped. */
  data(text: string): void;
  /** Bytes of a result as they are, to standard output. */
  bytes(content: Uint8Array): void;
  /** A line for the person, to standard error, unless quiet was asked for. */
  note(text: string): void;
  /** Reports a fault to standard error, however quiet. */
  problem(text: string): void;
  /** Raw text to standard error: redrawing. */
  draw(text: string): void;
}

/** A line above a part of a report. */
export function heading(terminal: Pick<Terminal, "out" | "colour">, text: string): void {
  terminal.out(`\n${terminal.colour.bold(text)}`);
}

/** The terminal of this process; honours NO_COLOR (no-color.org). */
export function openTerminal(options: { readonly quiet?: boolean } = {}): Terminal {
  const isRead = Deno.stderr.isTerminal();
  const live = isRead && !options.quiet;
  const noColour = (Deno.env.get("NO_COLOR") ?? "") !== "";
  const encoder = new TextEncoder();
  const write = (stream: typeof Deno.stdout, text: string) =>
    writeAll(stream, encoder.encode(text));
  const width = isRead ? consoleWidth() : 80;
  // A file and a pipe get whole lines, which other programs search.
  const tell = (text: string) => {
    const fit = printableStyled(text);
    write(Deno.stderr, `${isRead ? fitted(fit, width) : fit}\n`);
  };
  return {
    live,
    width,
    colour: pc.createColors(!noColour && Deno.stdout.isTerminal()),
    out: (text) => write(Deno.stdout, `${printableStyled(text)}\n`),
    data: (text) => write(Deno.stdout, `${printableJson(text)}\n`),
    bytes: (content) => writeAll(Deno.stdout, content),
    problem: tell,
    note: (text) => options.quiet ? undefined : tell(text),
    draw: (text) => write(Deno.stderr, text),
  };
}

function consoleWidth(): number {
  try {
    return Math.max(40, Deno.consoleSize().columns);
  } catch {
    return 80;
  }
}

function writeAll(stream: typeof Deno.stdout, bytes: Uint8Array): void {
  try {
    for (let done = 0; done < bytes.length;) done += stream.writeSync(bytes.subarray(done));
  } catch (error) {
    if (!(error instanceof Deno.errors.BrokenPipe)) throw error;
  }
}
