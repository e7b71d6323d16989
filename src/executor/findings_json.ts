/** Findings of workers on programs that are not scored, as bytes and back, with every field checked. */
import type { Diagnostic } from "../base/diagnostic.ts";
import type { LikelihoodCheck } from "../engine/score/execution/mod.ts";
import { readDiagnostic } from "./execution_json.ts";
import {
  count,
  list,
  Malformed,
  number,
  pick,
  record,
  text,
  wellFormed,
  withAllNumbers,
} from "./json_fields.ts";

/** Finding of the check of a text: its canonical hash, or why it is no program of the language. */
export type ProgramFinding =
  | { readonly ok: true; readonly program: { readonly hash: string } }
  | { readonly ok: false; readonly diagnostics: readonly Diagnostic[] };

/** Findings as UTF-8. */
export function encodeFindings(findings: readonly ProgramFinding[]): Uint8Array {
  return bytesOf(findings.map((one) => one.ok ? one.program.hash : one.diagnostics));
}

/** The findings of so many programs, or undefined if the bytes say anything else. */
export function decodeFindings(bytes: Uint8Array, programs: number): ProgramFinding[] | undefined {
  return wellFormed(() => {
    const found = list(valueOf(bytes));
    if (found.length !== programs) throw new Malformed();
    return found.map(readFinding);
  });
}

/** A check of a likelihood as UTF-8. */
export function encodeLikelihood(check: LikelihoodCheck): Uint8Array {
  return bytesOf(check);
}

/** The check in the bytes, or undefined if they say anything else. */
export function decodeLikelihood(bytes: Uint8Array): LikelihoodCheck | undefined {
  return wellFormed(() => {
    const value = record(valueOf(bytes));
    if (typeof value.holds !== "boolean") throw new Malformed();
    return {
      ...pick(["distributions", "notShown"] as const, value, count),
      massError: number(value.massError),
      ...(value.importanceZ === undefined ? {} : { importanceZ: number(value.importanceZ) }),
      holds: value.holds,
    };
  });
}

function readFinding(json: unknown): ProgramFinding {
  if (typeof json === "string") return { ok: true, program: { hash: text(json) } };
  return { ok: false, diagnostics: list(json).map(readDiagnostic) };
}

function bytesOf(value: unknown): Uint8Array {
  return new TextEncoder().encode(withAllNumbers(value));
}

function valueOf(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    throw new Malformed();
  }
}
