/** Errors as text and exit status: the one place where an error becomes a message. */
import { readFileSync } from "node:fs";
import {
  type Diagnostic,
  InputError,
  MissingPartError,
  renderDiagnostics,
} from "../base/diagnostic.ts";
import type { Terminal } from "../report/terminal.ts";

/** 0 done; 1 a stage or check failed; 2 wrong input; 3 a needed part is missing; 130 interrupted. */
export type ExitStatus = 0 | 1 | 2 | 3 | 130;

/** Prints an error as its reader needs it and gives the exit status that belongs to it. */
export function reportError(
  error: unknown,
  terminal: Terminal,
  sources: ReadonlyMap<string, string> = new Map(),
): ExitStatus {
  if (error instanceof InputError) {
    printDiagnostics(error.diagnostics, terminal, error.sources ?? sources);
    return 2;
  }
  if (error instanceof MissingPartError) {
    terminal.problem(`${error.message}\n  mend: ${error.remedy}`);
    return 3;
  }
  terminal.problem(unexpected(error));
  return 1;
}

/** All diagnostics with their lines; files that were not read yet are read for their excerpt. */
export function printDiagnostics(
  diagnostics: readonly Diagnostic[],
  terminal: Terminal,
  sources: ReadonlyMap<string, string> = new Map(),
): void {
  if (diagnostics.length === 0) return;
  const texts = new Map([...sources].map(([file, text]) => [localPath(file), text]));
  const local = diagnostics.map(withLocalPaths);
  for (const { span } of local) {
    if (span && !texts.has(span.file)) addText(texts, span.file);
  }
  terminal.problem(renderDiagnostics(local, texts));
}

/** Paths below the working directory as the user would write them. */
function withLocalPaths({ message, hint, span, ...rest }: Diagnostic): Diagnostic {
  return {
    ...rest,
    message: localPath(message),
    ...(hint === undefined ? {} : { hint: localPath(hint) }),
    ...(span && { span: { ...span, file: localPath(span.file) } }),
  };
}

function localPath(text: string): string {
  return text.replaceAll(Deno.cwd().replace(/\/?$/, "/"), "");
}

function addText(texts: Map<string, string>, file: string): void {
  try {
    texts.set(file, readFileSync(file, "utf8"));
  } catch {
    // A pseudo-file such as `--set`: the message stands without an excerpt.
  }
}

function unexpected(error: unknown): string {
  if (!(error instanceof Error)) return `Failed: ${String(error)}`;
  const internal = error.message.startsWith("internal:");
  return internal ? `${error.stack ?? error.message}` : `Failed: ${error.message}`;
}
