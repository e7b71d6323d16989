/** Transitions in generated code, on states that lie in the memory of the density. */
import type { RandomStream } from "../../../base/random.ts";
import type { GeneratedDensity } from "../../../numerics/math/mod.ts";
import { type Guest, isGuest, lodge, sharedMemory } from "../../../numerics/wasm/mod.ts";
import { type BufferSizes, bytesOf, layOut, type StateBuffers } from "./state_buffers.ts";
import { type TreeCode, treeCodeOf } from "./tree_code.ts";
import { frame, outcome } from "./tree_frame.ts";

/** Statistics of a transition. */
export interface Transition {
  readonly steps: number;
  readonly treeDepth: number;
  readonly diverging: boolean;
  readonly acceptanceSum: number;
  readonly initialEnergy: number;
  readonly energy: number;
  /** Whether there was no room for another doubling. */
  readonly isOpen: boolean;
}

/** A trajectory between two doublings: its outermost slots, the selected one, and its weight. */
export interface OpenTrajectory {
  left: number;
  right: number;
  selected: number;
  weight: number;
}

/** Where a trajectory begins, and how long it may become. */
interface TrajectoryLimits {
  readonly dimension: number;
  /** Slot of the current state. */
  readonly start: number;
  /** Doublings for which there is room. */
  readonly room: number;
  readonly maxTreeDepth: number;
}

/** Bytes above which states stay in arrays: a memory never shrinks. */
const mostBytes = 1 << 27;

/** Buffers in the memory of a generated density, and the code that grows trees there. */
export class GeneratedTrees implements Guest {
  #words: Int32Array = new Int32Array(0);
  #numbers: Float64Array = new Float64Array(0);
  #code: TreeCode | undefined;
  /** Overwritten by each transition: thousands of objects would be garbage. */
  readonly #last = {
    steps: 0,
    treeDepth: 0,
    diverging: false,
    acceptanceSum: 0,
    initialEnergy: 0,
    energy: 0,
    isOpen: false,
  };

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

  /** One transition from the current state: momenta, trees and selection. */
  transition(stream: RandomStream, stepSize: number): Transition {
    stream.save(this.#words, frame.stream / 4);
    this.#numbers[frame.stepSize / 8] = stepSize;
    return this.#outcome(this.#code!.transition(), stream);
  }

  /** Goes on with a transition, after room has been made by which slots have moved. */
  resume(stream: RandomStream, shift: number): Transition {
    for (const slot of [frame.left, frame.right, frame.selected]) this.#words[slot / 4] += shift;
    return this.#outcome(this.#code!.resume(), stream);
  }

  /** The trajectory that has no room. */
  open(): OpenTrajectory {
    const [left, right, selected] = [frame.left, frame.right, frame.selected]
      .map((at) => this.#words[at / 4]);
    return { left, right, selected, weight: this.#numbers[frame.weight / 8] };
  }

  #outcome(open: number, stream: RandomStream): Transition {
    const [words, numbers, last] = [this.#words, this.#numbers, this.#last];
    stream.restore(words, frame.stream / 4);
    last.isOpen = open === 1;
    last.steps = words[frame.steps / 4];
    last.treeDepth = words[frame.depth / 4];
    last.diverging = words[frame.last / 4] === outcome.diverges;
    last.acceptanceSum = numbers[frame.acceptanceSum / 8];
    last.initialEnergy = numbers[frame.initialEnergy / 8];
    last.energy = numbers[frame.energy / 8];
    return last;
  }

  /** New buffers of zeros. */
  allocate(sizes: BufferSizes, limits: TrajectoryLimits): StateBuffers {
    const bytes = bytesOf(sizes);
    const begin = lodge(this, bytes);
    const { buffer } = sharedMemory();
    new Uint8Array(buffer, begin, bytes).fill(0);
    const buffers = layOut(sizes, buffer, begin);
    this.#words = new Int32Array(buffer, 0, 64);
    this.#numbers = new Float64Array(buffer, 0, 32);
    this.#code = treeCodeOf(this.density.gradient, 8 * sizes.stride);
    const words = [
      [frame.dimension, 8 * limits.dimension],
      [frame.start, limits.start],
      [frame.room, limits.room],
      [frame.maxDepth, limits.maxTreeDepth],
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
    for (const [at, word] of words) this.#words[at / 4] = word;
    return buffers;
  }
}
