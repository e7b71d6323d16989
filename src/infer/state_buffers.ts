/** Where the states of a trajectory lie: in arrays, or in the memory of generated code. */
import type { RandomStream } from "../base/random.ts";
import type { GeneratedDensity } from "../math/log_density.ts";
import { type Guest, isGuest, lodge, sharedMemory } from "../math/wasm/memory.ts";
import { frame, type TreeCode, treeCodeOf } from "./tree_code.ts";

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

function bytesOf(sizes: BufferSizes): number {
  return 8 * Object.values(lengthsOf(sizes)).reduce((a, b) => a + b);
}

function layOut(sizes: BufferSizes, buffer: ArrayBufferLike, begin: number): StateBuffers {
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

/** What growing a tree reads and writes beside the states. */
export interface TreeState {
  readonly stream: RandomStream;
  readonly stepSize: number;
  readonly initialEnergy: number;
  acceptanceSum: number;
  steps: number;
}

/** Bytes above which states stay in arrays: a memory never shrinks. */
const mostBytes = 1 << 27;

/** Buffers in the memory of a generated density, and the code that grows trees there. */
export class GeneratedTrees implements Guest {
  #words: Int32Array = new Int32Array(0);
  #numbers: Float64Array = new Float64Array(0);
  #code: TreeCode | undefined;

  /** @param pack called before the buffers end. */
  constructor(readonly density: GeneratedDensity, readonly pack: () => void) {}

  /** Whether buffers of these sizes may lie in the memory. */
  static fits(sizes: BufferSizes): boolean {
    return bytesOf(sizes) <= mostBytes;
  }

  /** Brings the density into the memory; returns whether the buffers still stand. */
  enter(): boolean {
    this.density.enter();
    return isGuest(this);
  }

  leave(): void {
    this.pack();
  }

  /** Grows a tree; what changes in `state` is written back. */
  grow(from: number, direction: number, depth: number, state: TreeState): number {
    const words = this.#words;
    const numbers = this.#numbers;
    state.stream.save(words, frame.stream / 4);
    numbers[frame.stepSize / 8] = state.stepSize;
    numbers[frame.initialEnergy / 8] = state.initialEnergy;
    numbers[frame.acceptanceSum / 8] = state.acceptanceSum;
    words[frame.steps / 4] = state.steps;
    const found = this.#code!.grow(from, direction, depth);
    state.stream.restore(words, frame.stream / 4);
    state.acceptanceSum = numbers[frame.acceptanceSum / 8];
    state.steps = words[frame.steps / 4];
    return found;
  }

  /** Whether the tree of slots left … right, of which the left half ends at `middle`, turns. */
  turns(left: number, middle: number, right: number): boolean {
    return this.#code!.turns(left, middle, right) === 1;
  }

  /** New buffers of zeros. */
  settle(sizes: BufferSizes): StateBuffers {
    const bytes = bytesOf(sizes);
    const begin = lodge(this, bytes);
    const { buffer } = sharedMemory();
    new Uint8Array(buffer, begin, bytes).fill(0);
    const buffers = layOut(sizes, buffer, begin);
    this.#words = new Int32Array(buffer, 0, 64);
    this.#numbers = new Float64Array(buffer, 0, 32);
    this.#code = treeCodeOf(this.density.gradient, 8 * sizes.stride);
    const addresses = [
      [frame.stride, 8 * sizes.stride],
      [frame.positions, buffers.positions.byteOffset],
      [frame.gradients, buffers.gradients.byteOffset],
      [frame.whiteGradients, buffers.whiteGradients.byteOffset],
      [frame.momenta, buffers.momenta.byteOffset],
      [frame.sums, buffers.sums.byteOffset],
      [frame.logDensities, buffers.logDensities.byteOffset],
      [frame.levelWeights, buffers.levelWeights.byteOffset],
      [frame.levelProposals, buffers.levelProposals.byteOffset],
      [frame.factor, buffers.factor.byteOffset],
      [frame.transposed, sizes.transposed > 0 ? buffers.transposed.byteOffset : 0],
    ];
    for (const [at, address] of addresses) this.#words[at / 4] = address;
    return buffers;
  }
}
