/** Named tensors of a checkpoint, read one by one as single precision. */

/** Entry of a checkpoint for one tensor. */
export interface TensorEntry {
  /** Name in the file: `model.norm.weight`. */
  readonly name: string;
  /** Sizes, row-major: the last one is that of neighbours. */
  readonly shape: readonly number[];
  /** Element or block type, as the format calls it. */
  readonly type: string;
}

/** An open checkpoint: a GGUF file, or safetensors in one file or several. */
export interface WeightFile {
  /** The file, or the folder. */
  readonly path: string;
  /** Format, which decides the names of tensors. */
  readonly format: "gguf" | "safetensors";
  /** All tensors by name. */
  readonly tensors: ReadonlyMap<string, TensorEntry>;
  /**
   * All numbers of a tensor, in a fresh array.
   *
   * @throws InputError if there is no such tensor, or the file ends before it.
   */
  read(name: string): Float32Array<ArrayBuffer>;
  /** Closes the files; `read` fails afterwards. */
  close(): void;
}

/** Numbers of a tensor of that shape. */
export function countOf(shape: readonly number[]): number {
  return shape.reduce((product, size) => product * size, 1);
}
