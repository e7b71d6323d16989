/** Counts what a piece of work allocates as typed arrays. */

/** Bytes of every typed array that was made, and of the largest. */
export interface Allocations {
  total: number;
  largest: number;
}

const names = ["Float64Array", "Float32Array", "Int32Array", "Uint8Array"] as const;

/**
 * Runs `work` with constructors that count: copies by `slice` and `map` too, views not. Memory that
 * is released on the way is counted all the same.
 */
export async function allocationsOf(work: () => Promise<void>): Promise<Allocations> {
  const counted: Allocations = { total: 0, largest: 0 };
  const globals = globalThis as unknown as Record<string, { prototype: { constructor: unknown } }>;
  const originals = names.map((name) => globals[name]);
  const handler = {
    construct(target: unknown, args: unknown[], newTarget: unknown) {
      const made = Reflect.construct(target as () => void, args, newTarget as () => void);
      if (!(args[0] instanceof ArrayBuffer)) {
        counted.total += made.byteLength;
        counted.largest = Math.max(counted.largest, made.byteLength);
      }
      return made;
    },
  };
  names.forEach((name, i) => {
    globals[name] = new Proxy(originals[i] as unknown as () => void, handler) as never;
    originals[i].prototype.constructor = globals[name];
  });
  try {
    await work();
  } finally {
    names.forEach((name, i) => {
      globals[name] = originals[i];
      originals[i].prototype.constructor = originals[i];
    });
  }
  return counted;
}
