/** The terminal: width, colour, and whether a person is looking. */
import pc from "picocolors";
import { printableJson, printableStyled } from "../base/printable.ts";

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
  const live = Deno.stderr.isTerminal() && !options.quiet;
  const noColour = (Deno.env.get("NO_COLOR") ?? "") !== "";
  const encoder = new TextEncoder();
  const write = (stream: typeof Deno.stdout, text: string) =>
    writeAll(stream, encoder.encode(text));
  return {
    live,
    width: live ? consoleWidth() : 80,
    colour: pc.createColors(!noColour && Deno.stdout.isTerminal()),
    out: (text) => write(Deno.stdout, `${printableStyled(text)}\n`),
    data: (text) => write(Deno.stdout, `${printableJson(text)}\n`),
    bytes: (content) => writeAll(Deno.stdout, content),
    problem: (text) => write(Deno.stderr, `${printableStyled(text)}\n`),
    note: (text) => options.quiet ? undefined : write(Deno.stderr, `${printableStyled(text)}\n`),
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
