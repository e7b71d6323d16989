/** Buffers for the states of a trajectory, in any piece of memory. */

/** States by slot, in the order of time: rows of `stride` numbers, the last of which may be a 0. */
export interface StateBuffers {
  readonly positions: Float64Array;
  readonly gradients: Float64Array;
  /** Lᵀ gradient. */
  readonly whiteGradients: Float64Array;
  /** Momentum in white coordinates. */
  readonly momenta: Float64Array;
  /** Sum of the momenta up to and with a slot; only differences have a meaning. */
  readonly sums: Float64Array;
  /** One per slot. */
  readonly logDensities: Float64Array;
  /** By level, of the subtree on the stack. */
  readonly levelWeights: Float64Array;
  /** By level, its proposal: a slot. */
  readonly levelProposals: Int32Array;
  /** The metric's factor: its rows `[stride, stride]` if it is dense, else its diagonal. */
  readonly factor: Float64Array;
  /** The transpose, if it is dense. */
  readonly transposed: Float64Array;
}

/** How large buffers are. */
export interface BufferSizes {
  readonly slots: number;
  /** An even number. */
  readonly stride: number;
  readonly levels: number;
  /** Numbers of the factor. */
  readonly factor: number;
  /** Numbers of the transpose. */
  readonly transposed: number;
}

/** Buffers of zeros. */
export function ownBuffers(sizes: BufferSizes): StateBuffers {
  return layOut(sizes, new ArrayBuffer(bytesOf(sizes)), 0);
}

/** Numbers that a layout takes, in the order in which they lie. */
function lengthsOf({ slots, stride, levels, factor, transposed }: BufferSizes) {
  const states = slots * stride;
  return {
    positions: states,
    gradients: states,
    whiteGradients: states,
    momenta: states,
    sums: states,
    logDensities: slots + (slots & 1),
    levelWeights: levels + (levels & 1),
    factor,
    transposed,
    levelProposals: levels,
  };
}

/** Bytes that buffers of these sizes take. */
export function bytesOf(sizes: BufferSizes): number {
  return 8 * Object.values(lengthsOf(sizes)).reduce((a, b) => a + b);
}

/** Buffers from an address on. */
export function layOut(sizes: BufferSizes, buffer: ArrayBufferLike, begin: number): StateBuffers {
  let at = begin;
  const { levelProposals, ...lengths } = lengthsOf(sizes);
  const numbers = Object.fromEntries(
    Object.entries(lengths).map(([name, length]) => {
      const view = new Float64Array(buffer, at, length);
      at += 8 * length;
      return [name, view];
    }),
  ) as Omit<StateBuffers, "levelProposals">;
  return { ...numbers, levelProposals: new Int32Array(buffer, at, levelProposals) };
}
