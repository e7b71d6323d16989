/** Objects as sets of productions, which is all that a surrogate knows of them. */
import { type InputError, inputError } from "../../../base/diagnostic.ts";
import { calledOf, type Environment, type TerminalObject } from "../../environments/environment.ts";

/** Bits of one piece of a set: distances are looked up piece by piece. */
export const pieceBits = 8;

/** Parts of an object that are encoded. */
export type Described = Pick<TerminalObject, "features" | "actions">;

/** Sets of productions as bits, `[objects][pieces]`, by names that are met one after another. */
export class ProductionSets {
  readonly #bits = new Map<string, number>();
  readonly #environment: Environment;
  /** Whether a derivation was met that has a production twice. */
  #isNested: boolean;
  /** Whether names were given: how objects are described is known then. */
  readonly #isFixed: boolean;

  /**
   * No sets yet.
   *
   * @param environment Whose objects are described.
   * @param names Of productions that were met before, in the order of their bits.
   */
  constructor(environment: Environment, names: readonly string[] = []) {
    this.#environment = environment;
    names.forEach((name, bit) => this.#bits.set(name, bit));
    this.#isNested = names.some((name) => name.includes(then));
    this.#isFixed = names.length > 0;
  }

  /** The productions of a derivation; where numbers describe states, those of its end. */
  #productionsOf({ features, actions }: Described): string[] {
    if (this.#environment.features) return numbersOf(this.#environment, actions);
    return this.#isNested ? nestedProductions(features) : [...new Set(features)];
  }

  /** Productions met so far. */
  get size(): number {
    return this.#bits.size;
  }

  /** Pieces of a set. */
  get pieces(): number {
    return Math.max(1, Math.ceil(this.size / pieceBits));
  }

  /** Their names, in the order of their bits. */
  get names(): readonly string[] {
    return [...this.#bits.keys()];
  }

  /**
   * Checks that objects differ: without productions and numbers, most would be equal.
   *
   * @throws InputError if more than half of them have neither a production nor a number.
   */
  require(objects: readonly Described[]): void {
    const named = objects.filter((one) => this.#productionsOf(one).length > 0).length;
    if (2 * named < objects.length) {
      throw withoutFeatures(this.#environment, objects.length - named, objects.length);
    }
  }

  /**
   * The sets of objects, one behind the other, each in as many pieces as there are at the end of the
   * call: sets encoded before productions were met are shorter, and have to be encoded again.
   *
   * @throws InputError if no object has a production, nor a number that describes it.
   */
  encode(objects: readonly Described[]): Uint8Array {
    if (!this.#isFixed) this.#isNested ||= objects.some(hasTwice);
    const sets = objects.map((object) => this.#productionsOf(object));
    for (const set of sets) {
      for (const name of set) if (!this.#bits.has(name)) this.#bits.set(name, this.size);
    }
    if (this.size === 0 && objects.length > 0) {
      throw withoutFeatures(this.#environment, objects.length, objects.length);
    }
    const { pieces } = this;
    const codes = new Uint8Array(objects.length * pieces);
    sets.forEach((set, x) => {
      for (const name of set) {
        const bit = this.#bits.get(name)!;
        codes[x * pieces + Math.floor(bit / pieceBits)] |= 1 << (bit % pieceBits);
      }
    });
    return codes;
  }
}

/** Whether a production stands several times in a derivation. */
const hasTwice = ({ features }: Described) => new Set(features).size < features.length;

/** Stands between two productions of which the second was chosen after the first. */
const then = " › ";

/**
 * Features of a derivation in which productions may occur several times: numbered names, and pairs of
 * consecutive names. As sets of names alone `a + b · a` and `a · b + a` would be equal.
 */
function nestedProductions(features: readonly string[]): string[] {
  const counts = new Map<string, number>();
  const numbered = features.map((name) => {
    const count = (counts.get(name) ?? 0) + 1;
    counts.set(name, count);
    return count === 1 ? name : `${name} ×${count}`;
  });
  const pairs = features.slice(1).map((name, t) => `${features[t]}${then}${name}`);
  return [...new Set([...numbered, ...pairs])];
}

/** The numbers of an object's end that are not 0. */
function numbersOf(environment: Environment, actions: readonly number[]): string[] {
  let state = environment.initialState();
  for (const action of actions.slice(0, -1)) state = environment.step(state, action);
  const numbers = new Float32Array(environment.features!.size);
  environment.features!.encode(state, numbers, 0);
  return [...numbers].flatMap((value, i) => value === 0 ? [] : [`#${i}`]);
}

function withoutFeatures(environment: Environment, without: number, of: number): InputError {
  const some = without === of ? "its objects have no" : `${without} of ${of} objects have no`;
  const message = `Cannot make a surrogate for the ${calledOf(environment)}: ${some} ` +
    "features, by which two of them could be alike";
  const hint =
    'let terminal() name what an object is made of, { features: ["linear", "wide"] }, or ' +
    "learn a policy without a surrogate";
  return inputError("surrogate/no-features", message, undefined, hint);
}
