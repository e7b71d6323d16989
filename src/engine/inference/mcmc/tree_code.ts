/** Generated code that grows trees of leapfrog steps, with the bits of src/engine/inference/mcmc/nuts.ts. */
import { assembleModule, type FunctionBody, sharedMemory } from "../../../numerics/wasm/mod.ts";
import { growTree } from "./grow_code.ts";
import { leapfrog } from "./leapfrog_code.ts";
import { uniform, word } from "./stream_code.ts";
import { begin, resume, select, transition } from "./transition_code.ts";
import { type FunctionName, functionNames, gradientType, library, numberOf } from "./tree_frame.ts";
import { between, turns } from "./turn_code.ts";

// The code of each function follows the method of the same name of `Nuts`, line by line. States are
// rows of two lanes each, padded with zeros; so no loop has a last element to treat apart.

/** Exports of the module. */
export interface TreeCode {
  /** One transition; 1 if there is no room for another doubling, then to be resumed. */
  readonly transition: () => number;
  /** Goes on with a transition, likewise. */
  readonly resume: () => number;
}

/** Bytes of a row up to which loops over it are written out: six pairs. */
const mostWritten = 96;

let table: WebAssembly.Table | undefined;
/** By the bytes of a row, 0 for long ones. */
const codes = new Map<number, TreeCode>();

/**
 * The code for trees of this log density, whose states have rows of `stride` bytes: one module for
 * each small width, and one for all others.
 */
export function treeCodeOf(
  gradient: (position: number, gradient: number) => number,
  stride: number,
): TreeCode {
  table ??= new WebAssembly.Table({ element: "anyfunc", initial: 1 });
  table.set(0, gradient);
  const width = stride <= mostWritten ? stride : 0;
  const known = codes.get(width);
  if (known) return known;
  const code = instantiate(table, width);
  codes.set(width, code);
  return code;
}

const writers: { readonly [name in FunctionName]: (width: number) => FunctionBody } = {
  word,
  uniform,
  leapfrog,
  between,
  turns,
  grow: growTree,
  begin,
  select,
  resume,
  transition,
};

function instantiate(table: WebAssembly.Table, width: number): TreeCode {
  const own = functionNames.map((name) => writers[name](width));
  const exported = (["transition", "resume"] as const).map((name) => ({
    name,
    index: numberOf(name),
  }));
  const bytes = assembleModule([], [...library.bodies(), ...own], exported, gradientType);
  const host = { memory: sharedMemory(), table };
  const instance = new WebAssembly.Instance(new WebAssembly.Module(bytes), { host });
  return instance.exports as unknown as TreeCode;
}
