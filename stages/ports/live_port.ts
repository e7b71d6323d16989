/** Port types that live inside a loop only: they flow between inner stages and are never artifacts. */
import type { PortType } from "../../src/pipeline/contract/mod.ts";

/** A port type without an artifact. Handing it out of a loop is a mistake in the pipeline. */
export function livePort<T>(name: string): PortType<T> {
  const refuse = () => {
    const why = `internal: a ${name} port lives inside a loop and has no artifact`;
    return Promise.reject(new TypeError(why));
  };
  return { name, live: true, encode: refuse, decode: refuse };
}
