/** The distinct states that the trajectories of a batch pass, each computed once. */
import {
  type BackwardPart,
  type Environment,
  keyAfter,
  type LegalActions,
  noPrompt,
  type Prompt,
  rootKey,
} from "../environments/environment.ts";
import { legalIn, rowOfMask } from "../environments/legal_actions.ts";

/** A state with its legal actions and priors, which are the environment's own. */
export interface BatchNode<S> {
  /** Its place in order of first appearance. */
  readonly id: number;
  /** The state itself. */
  readonly state: S;
  /** `stateKey`, or on trees the actions so far. */
  readonly key: string;
  /** Its legal actions. */
  readonly legal: LegalActions;
  /** `[A]`, where the environment has no rows. */
  readonly logPrior: Float64Array | undefined;
  /** Number of steps that lead here; 1 on trees. */
  readonly parents: number;
  /** Nodes known to come after it, by action. */
  readonly next: Map<number, BatchNode<S>>;
}

/** Nodes of one batch; on graphs two paths to one state meet in one node. */
export class BatchNodes<S> {
  readonly #environment: Environment<S>;
  readonly #nodes: BatchNode<S>[] = [];
  readonly #byKey = new Map<string, BatchNode<S>>();
  readonly #roots = new Map<string, BatchNode<S>>();

  /** No node yet. */
  constructor(environment: Environment<S>) {
    this.#environment = environment;
  }

  /** The initial state under a prompt. */
  root(prompt: Prompt): BatchNode<S> {
    const known = this.#roots.get(prompt.id);
    if (known) return known;
    const environment = this.#environment;
    const state = prompt === noPrompt
      ? environment.initialState()
      : environment.initialState(prompt);
    const root = environment.stateKey
      ? this.#meet(state, environment.stateKey(state))
      : this.#add(state, rootKey(prompt));
    this.#roots.set(prompt.id, root);
    return root;
  }

  /** The node after a legal action that is not the exit. */
  child(node: BatchNode<S>, action: number): BatchNode<S> {
    const known = node.next.get(action);
    if (known) return known;
    const environment = this.#environment;
    const state = environment.step(node.state, action);
    const child = environment.stateKey
      ? this.#meet(state, environment.stateKey(state))
      : this.#add(state, keyAfter(node.key, action)); // On trees no other path leads here.
    node.next.set(action, child);
    return child;
  }

  #meet(state: S, key: string): BatchNode<S> {
    let node = this.#byKey.get(key);
    if (!node) {
      node = this.#add(state, key);
      this.#byKey.set(key, node);
    }
    return node;
  }

  #add(state: S, key: string): BatchNode<S> {
    const { backward } = this.#environment;
    const steps = backward?.legalActions(state).reduce((sum, legal) => sum + legal, 0) ?? 1;
    const node = {
      id: this.#nodes.length,
      state,
      key,
      legal: legalIn(this.#environment, state),
      logPrior: this.#environment.rows ? undefined : this.#environment.logPrior(state),
      parents: steps,
      next: new Map<number, BatchNode<S>>(),
    };
    this.#nodes.push(node);
    return node;
  }

  /** log prior of a legal action. */
  logPrior({ state, logPrior }: BatchNode<S>, action: number): number {
    return logPrior ? logPrior[action] : this.#environment.rows!.logPriorOf(state, action);
  }

  /** Their keys. */
  keys(): string[] {
    return this.#nodes.map((node) => node.key);
  }

  /** Their legal actions. */
  legal(): LegalActions[] {
    return this.#nodes.map((node) => node.legal);
  }

  /** `[nodes, size]`, if the environment has features. */
  features(): { readonly features?: Float32Array } {
    const { features } = this.#environment;
    if (!features) return {};
    const values = new Float32Array(this.#nodes.length * features.size);
    for (const { id, state } of this.#nodes) features.encode(state, values, id * features.size);
    return { features: values };
  }

  /** Their legal backward actions. */
  legalBack(backward: BackwardPart<S>): LegalActions[] {
    return this.#nodes.map(({ state }) => rowOfMask(backward.legalActions(state)));
  }
}
