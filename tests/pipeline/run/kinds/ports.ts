/** Port types of the fake stage kinds: a number, and a list of numbers that can be changed. */
import type { PortType } from "../../../../src/pipeline/contract/port.ts";

function jsonPort<T>(name: string): PortType<T> {
  return {
    name,
    encode: (value) => Promise.resolve(new TextEncoder().encode(JSON.stringify(value))),
    decode: (bytes) => Promise.resolve(JSON.parse(new TextDecoder().decode(bytes))),
  };
}

export const number = { type: jsonPort<number>("number"), description: "a number" };
export const walk = { type: jsonPort<{ at: number }>("walk"), description: "where a walk stands" };
