/** Stage instances whose code is loaded when they first run, so that checking a pipeline is quick. */
import type { StageContext } from "../../src/pipeline/contract/mod.ts";

/** A stage instance, by its inputs and outputs. */
interface Instance<I, O> {
  run(context: StageContext, inputs: I): Promise<O>;
  save?(): Promise<Uint8Array>;
  load?(bytes: Uint8Array): Promise<void>;
}

/** An instance that asks `load` for the real one once. */
export function lazyInstance<I, O>(
  load: () => Promise<Instance<I, O>>,
): Required<Instance<I, O>> {
  let loading: Promise<Instance<I, O>> | undefined;
  const instance = () => loading ??= load();
  return {
    run: async (context, inputs) => await (await instance()).run(context, inputs),
    save: async () => await (await instance()).save?.() ?? new Uint8Array(),
    load: async (bytes) => await (await instance()).load?.(bytes),
  };
}
