/** Attaches findings to a parameter of a stage. */
import { InputError } from "../../src/base/diagnostic.ts";

/**
 * Result of `make`; findings that it throws, and that have no place yet, are about the parameter.
 *
 * @throws InputError as `make` does.
 */
export async function atParameter<T>(
  param: readonly (string | number)[],
  make: () => T | Promise<T>,
): Promise<T> {
  try {
    return await make();
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    throw new InputError(
      error.diagnostics.map((one) => one.span ? one : { param, ...one }),
      error.sources,
    );
  }
}
