/** A batch as one tree of tokens: shared beginnings are computed once, ends without a choice never. */
import type { HeadRow, TokenTree } from "../../../models/training/mod.ts";
import type { LegalActions, Prompt } from "../../environments/environment.ts";
import { legalCount, placeIn } from "../../environments/legal_actions.ts";
import { missingOf } from "./all_but_one.ts";
import type { Batch } from "../../trajectories/trajectory.ts";

/** A tree, its scored rows, and the state of the batch that each row is. */
export interface BatchTree {
  readonly tree: TokenTree;
  /** One for each state in which there is a choice. */
  readonly rows: readonly HeadRow[];
  /** `[states]`: the row of each state of the batch; −1 where one action alone is legal. */
  readonly rowOf: Int32Array;
}

/**
 * The states of a batch of which a choice is at them or below, as nodes: the token that led there,
 * behind those that led to the state before. Before the first token stand those of the prompt.
 *
 * @param rootOf Tokens that a model reads before the first action under a prompt; at least one.
 * @param isListed Whether rows are to have every legal token, where all are legal but one, too.
 */
export function treeOf(
  batch: Batch,
  rootOf: (prompt: Prompt) => readonly number[],
  isListed: boolean = false,
): BatchTree {
  const { states, A } = batch;
  const steps = stepsInto(batch);
  const isNeeded = new Uint8Array(states.keys.length);
  const hasChoice = states.legal.map((legal) => legalCount(legal, A) > 1);
  // A state comes before those that follow it.
  for (let state = isNeeded.length - 1; state >= 0; state--) {
    if (!hasChoice[state] && isNeeded[state] === 0) continue;
    isNeeded[state] = 1;
    if (steps.before[state] >= 0) isNeeded[steps.before[state]] = 1;
  }
  const nodes = new Nodes();
  const node = new Int32Array(isNeeded.length).fill(-1);
  for (let state = 0; state < isNeeded.length; state++) {
    if (isNeeded[state] === 0) continue;
    const before = steps.before[state];
    node[state] = before < 0
      ? nodes.chain(rootOf(batch.prompts[steps.first[state]]))
      : nodes.add(node[before], steps.action[state]);
  }
  const rowOf = new Int32Array(isNeeded.length).fill(-1);
  const rows: HeadRow[] = [];
  states.legal.forEach((legal, state) => {
    if (!hasChoice[state]) return;
    rowOf[state] = rows.push(rowAt(node[state], legal, steps.taken[state], isListed ? 0 : A)) - 1;
  });
  return { tree: nodes.tree(), rows, rowOf };
}

function rowAt(
  node: number,
  legal: LegalActions,
  taken: ReadonlySet<number>,
  vocabulary: number,
): HeadRow {
  const missing = missingOf(legal, vocabulary);
  if (missing >= 0) {
    return { node, legal: "all", picked: Int32Array.from([...taken, missing]).sort() };
  }
  if (legal !== "all") return { node, legal };
  return { node, legal, picked: Int32Array.from(taken).sort() };
}

/** Where an action stands in a row's log probabilities. */
export function placeInRow({ legal, picked }: HeadRow, action: number): number {
  return placeIn(picked ?? legal, action);
}

/** The step into each state of a batch, and the actions taken in it. */
interface Steps {
  /** `[states]`: the state before; −1 for initial ones. */
  readonly before: Int32Array;
  /** `[states]`: the action that leads there. */
  readonly action: Int32Array;
  /** `[states]`: a trajectory that passes it. */
  readonly first: Int32Array;
  /** `[states]`: actions whose log P is asked for, the exit among them where it is legal. */
  readonly taken: readonly Set<number>[];
}

function stepsInto({ B, T, lengths, actions, states, terminable, environment }: Batch): Steps {
  const count = states.keys.length;
  const before = new Int32Array(count).fill(-1);
  const [action, first] = [new Int32Array(count), new Int32Array(count).fill(-1)];
  const taken = Array.from({ length: count }, () => new Set<number>());
  for (let b = 0; b < B; b++) {
    for (let t = 0; t < lengths[b]; t++) {
      const state = states.index[b * T + t];
      taken[state].add(actions[b * T + t]);
      if (terminable[b * T + t] === 1) taken[state].add(environment.exitAction);
      if (first[state] >= 0) continue;
      first[state] = b;
      if (t === 0) continue;
      before[state] = states.index[b * T + t - 1];
      action[state] = actions[b * T + t - 1];
    }
  }
  return { before, action, first, taken };
}

/** Nodes of a tree in the making; beginnings that prompts share are shared. */
class Nodes {
  readonly #ids: number[] = [];
  readonly #parents: number[] = [];
  readonly #known = new Map<string, number>();

  /** The last node of a list of tokens from the root on. */
  chain(ids: readonly number[]): number {
    let node = -1;
    for (const id of ids) {
      const key = `${node} ${id}`;
      const next = this.#known.get(key) ?? this.add(node, id);
      this.#known.set(key, next);
      node = next;
    }
    return node;
  }

  add(parent: number, id: number): number {
    this.#ids.push(id);
    return this.#parents.push(parent) - 1;
  }

  tree(): TokenTree {
    return { ids: Int32Array.from(this.#ids), parents: Int32Array.from(this.#parents) };
  }
}
