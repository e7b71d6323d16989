/** Codecs of port types whose values are plain JSON or wrap it. */
import { canonicalJson } from "../../src/base/canonical_json.ts";
import type { DecodeContext, PortType } from "../../src/pipeline/contract/mod.ts";

/** Canonical JSON as UTF-8 bytes. */
export function jsonBytes(value: unknown): Uint8Array {
  return new TextEncoder().encode(canonicalJson(value));
}

/** The JSON value in UTF-8 bytes. */
export function bytesJson<T>(bytes: Uint8Array): T {
  return JSON.parse(new TextDecoder().decode(bytes)) as T;
}

/** A port type whose artifact is the canonical JSON of `toJson(value)`. */
export function jsonPort<T, J>(
  name: string,
  toJson: (value: T) => J,
  fromJson: (json: J, context: DecodeContext) => T | Promise<T>,
): PortType<T> {
  return {
    name,
    encode: (value) => Promise.resolve(jsonBytes(toJson(value))),
    decode: async (bytes, context) => await fromJson(bytesJson<J>(bytes), context),
  };
}
