/** Sentences over a vocabulary as large as a language model's, and policies over them. */
import { log } from "../../src/numerics/math/elementary.ts";
import { digestOf } from "../../src/base/digest.ts";
import {
  type Environment,
  type LegalActions,
  noPrompt,
  type Prompt,
} from "../../src/gfn/environments/environment.ts";
import { actionAt, legalCount, maskOfRow } from "../../src/gfn/environments/legal_actions.ts";
import {
  definePolicy,
  type PolicyDefinition,
  type PolicyStates,
  type RowPass,
} from "../../src/gfn/policies/define_policy.ts";

/** A sentence so far: its last token, text before it, and what it answers. */
export interface Sentence {
  readonly prompt: Prompt;
  readonly length: number;
  readonly last: number;
  readonly before: Sentence | undefined;
}

/** How wide and how long. */
export interface WideShape {
  readonly A: number;
  readonly T: number;
  /** Every token may follow at positions that are multiples of it; elsewhere one or a few may. */
  readonly openEvery: number;
}

/** Tokens of a sentence, without its end. */
function tokensOf(sentence: Sentence): number[] {
  const tokens: number[] = [];
  for (let s = sentence; s.before; s = s.before) tokens.push(s.last);
  return tokens.reverse();
}

/** Action 0 ends a sentence. Of `openEvery` positions one is open, one has three ways, others one. */
export function wideEnvironment({ A, T, openEvery }: WideShape): Environment<Sentence> {
  const legal = ({ length }: Sentence): LegalActions => {
    if (length === T - 1) return Int32Array.of(0);
    if (length % openEvery === 0) return "all";
    if (length % openEvery === 1) return Int32Array.of(0, 1 + length % (A - 2), A - 1);
    return Int32Array.of(1 + length % (A - 1));
  };
  const logPriorOf = (state: Sentence) => -log(legalCount(legal(state), A));
  return {
    kind: "wide",
    digest: digestOf({ wide: [A, T, openEvery] }),
    spec: null,
    actionNames: Array.from({ length: A }, (_, a) => a === 0 ? "end" : `t${a}`),
    exitAction: 0,
    maxActions: T,
    initialState: (prompt = noPrompt) => ({ prompt, length: 0, last: -1, before: undefined }),
    legalActions: (state) => maskOfRow(legal(state), A),
    step: (state, last) => ({ ...state, length: state.length + 1, last, before: state }),
    logPrior: (state) => {
      const each = logPriorOf(state);
      return Float64Array.from(maskOfRow(legal(state), A), (one) => one === 1 ? each : -Infinity);
    },
    rows: { legal, logPriorOf },
    terminal: (state) => {
      const actions = [...tokensOf(state), 0];
      return { text: `${state.prompt.id}|${actions}`, logPrior: NaN, actions, features: [] };
    },
    enumerate: () => {
      throw new Error("internal: too many to list");
    },
    logReward: ({ prompt, length, last }) => -0.01 * length + (last % 7) / 7 - prompt.tokens.length,
  };
}

/** Number of weights: four of logits, two of the log flow. */
const size = 6;

/** Weights away from 0. */
const initial = () => Float32Array.of(0.9, -0.7, 0.5, 0.3, 0.2, -0.4);

const multipliers = [7919, 104729, 1299709, 15485863];

/** Number `k` of a token, in [−1, 1). */
const ofToken = (a: number, k: number) =>
  ((Math.imul(a + 1, multipliers[k]) >>> 7) & 1023) / 512 - 1;

/** Four numbers of every state, from its prompt and its actions. */
function statesAs({ count, prompts, actions }: PolicyStates): Float64Array {
  const values = new Float64Array(4 * count);
  for (let i = 0; i < count; i++) {
    const read = [...prompts[i].tokens, ...actions[i]];
    const mixed = read.reduce((hash, token) => Math.imul(hash ^ token, 16777619) >>> 0, 2166136261);
    for (let k = 0; k < 4; k++) values[4 * i + k] = ((mixed >>> (7 * k)) & 127) / 64 - 1;
  }
  return values;
}

class HashPass implements RowPass {
  readonly #states: Float64Array;
  readonly #gradient = new Float64Array(size);

  constructor(readonly weights: Float32Array, states: PolicyStates, readonly A: number) {
    this.#states = statesAs(states);
  }

  row(i: number, legal: LegalActions, out: Float64Array): number {
    const [c0, c1, c2, c3] = [0, 1, 2, 3].map((k) => this.weights[k] * this.#states[4 * i + k]);
    for (let n = 0; n < out.length; n++) {
      const a = actionAt(legal, n);
      out[n] = c0 * ofToken(a, 0) + c1 * ofToken(a, 1) + c2 * ofToken(a, 2) + c3 * ofToken(a, 3);
    }
    return this.weights[4] * this.#states[4 * i] + this.weights[5];
  }

  push(i: number, legal: LegalActions, force: Float64Array, flowForce: number): void {
    for (let k = 0; k < 4; k++) {
      let sum = 0;
      for (let n = 0; n < force.length; n++) sum += force[n] * ofToken(actionAt(legal, n), k);
      this.#gradient[k] += sum * this.#states[4 * i + k];
    }
    this.#gradient[4] += flowForce * this.#states[4 * i];
    this.#gradient[5] += flowForce;
  }

  addGradient(gradient: Float64Array): void {
    this.#gradient.forEach((g, k) => gradient[k] += g);
  }
}

/** Asked row by row; `opened` hears how many states are looked at in each call. */
export function rowPolicy(opened: (states: number) => void = () => {}): PolicyDefinition {
  return definePolicy({
    name: "hashed_rows",
    version: 1,
    create: ({ actionNames }) => ({
      size,
      tensors: [{ name: "head", shape: [4] }, { name: "flow", shape: [2] }],
      initial,
      open: (weights, states) => {
        opened(states.count);
        return new HashPass(weights, states, actionNames.length);
      },
    }),
  });
}

/** The same policy, by all logits of all states. */
export const densePolicy: PolicyDefinition = definePolicy({
  name: "hashed_dense",
  version: 1,
  create: ({ outputs }) => ({
    size,
    initial,
    outputs(weights, states) {
      const pass = new HashPass(weights, states, outputs - 1);
      const values = new Float64Array(states.count * outputs);
      for (let i = 0; i < states.count; i++) {
        const row = values.subarray(i * outputs, (i + 1) * outputs);
        row[outputs - 1] = pass.row(i, "all", row.subarray(0, outputs - 1));
      }
      return values;
    },
    addGradient(weights, states, force, gradient) {
      const pass = new HashPass(weights, states, outputs - 1);
      for (let i = 0; i < states.count; i++) {
        const row = force.subarray(i * outputs, (i + 1) * outputs);
        pass.push(i, "all", row.subarray(0, outputs - 1), row[outputs - 1]);
      }
      pass.addGradient(gradient);
    },
  }),
});
