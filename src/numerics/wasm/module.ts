/** Sections of a WebAssembly module around the bodies of its functions. */
import { ByteWriter } from "./byte_writer.ts";
import type { FunctionBody, FunctionType } from "./function_body.ts";
import { typeCodes } from "./instructions.ts";

export type { FunctionType } from "./function_body.ts";

/** A function that the module imports from `host`. */
export interface ImportedFunction extends FunctionType {
  /** Name within `host`. */
  readonly name: string;
}

/**
 * A module with one imported memory `host.memory`; imports are numbered before own functions.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { assembleModule } from "./module.ts";
 * const bytes = assembleModule([], [], []);
 * assert(WebAssembly.validate(bytes));
 * ```
 *
 * @param indirect type of the functions in the imported table `host.table`, if it has one; the
 * number of that type is the count of all functions.
 * @throws TypeError if a function calls another by a wrong type.
 */
export function assembleModule(
  imports: readonly ImportedFunction[],
  functions: readonly FunctionBody[],
  exports: readonly { readonly name: string; readonly index: number }[],
  indirect?: FunctionType,
): Uint8Array<ArrayBuffer> {
  checkCalls([...imports, ...functions], functions);
  const module = new ByteWriter(8192);
  module.raw([0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0]);
  const types = [...imports, ...functions, ...(indirect ? [indirect] : [])];
  section(module, 1, types, (to, { parameters, results }) => {
    to.byte(0x60);
    for (const list of [parameters, results]) {
      to.unsigned(list.length);
      for (const type of list) to.byte(typeCodes[type]);
    }
  });
  const state = [{ name: "memory", kind: [2, 0, 1] }];
  if (indirect) state.push({ name: "table", kind: [1, 0x70, 0, 1] });
  section(module, 2, [...state, ...imports], (to, one, k) => {
    to.text("host");
    to.text(one.name);
    if ("kind" in one) return to.raw(one.kind);
    to.byte(0);
    to.unsigned(k - state.length);
  });
  section(module, 3, functions, (to, _one, k) => to.unsigned(imports.length + k));
  section(module, 7, exports, (to, { name, index }) => {
    to.text(name);
    to.byte(0);
    to.unsigned(index);
  });
  section(module, 10, functions, (to, one) => one.encode(to));
  return module.take().slice() as Uint8Array<ArrayBuffer>;
}

/** Checks that each function is called by its own type. */
function checkCalls(all: readonly FunctionType[], functions: readonly FunctionBody[]): void {
  const list = (types: readonly string[]) => types.join(" ") || "nothing";
  const text = ({ parameters, results }: FunctionType) => `${list(parameters)} -> ${list(results)}`;
  for (const [index, type] of functions.flatMap(({ calls }) => [...calls])) {
    const found = all[index] ? text(all[index]) : "not there";
    if (found === text(type)) continue;
    throw new TypeError(`internal: function ${index} is ${found}, called as ${text(type)}`);
  }
}

function section<T>(
  module: ByteWriter,
  id: number,
  entries: readonly T[],
  write: (to: ByteWriter, entry: T, index: number) => void,
): void {
  const content = new ByteWriter();
  content.unsigned(entries.length);
  entries.forEach((entry, k) => write(content, entry, k));
  module.byte(id);
  module.unsigned(content.length);
  module.raw(content.take());
}
