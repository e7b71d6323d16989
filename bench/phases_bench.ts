/** Where the time of fresh programs goes: the shares of a CPU profile by phase of a score. */

/** The part of V8's profile format that is read here. */
interface Profile {
  readonly nodes: readonly {
    readonly id: number;
    readonly callFrame: { readonly functionName: string; readonly url: string };
    readonly children?: readonly number[];
  }[];
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
}

/** Phases by function and file; a sample counts for the innermost one on its stack. */
const phases: readonly (readonly [phase: string, name: string, file: string])[] = [
  ["parsing and checking", "checkProgram", "check.ts"],
  ["assembling and simplifying", "assemble", "assemble.ts"],
  ["differentiating", "gradientOf", "differentiate.ts"],
  ["emitting", "generate", "evaluator.ts"],
  ["compiling WebAssembly", "Module", ""],
  ["climbing to modes", "modesOf", "modes.ts"],
  ["climbing to modes", "startChains", "start.ts"],
  ["proposals: drawing", "drawFrom", "proposal.ts"],
  ["proposals: fitting", "fitToPosterior", "proposal_fit.ts"],
  ["proposals: fitting", "fitToDraws", "proposal_fit.ts"],
  ["likelihoods and gradients", "withLikelihood", "posterior_tasks.ts"],
  ["averages", "leaveOneOutAverages", "averages.ts"],
  ["cells of recorded data", "cellGains", "cells.ts"],
  ["tails", "trusted", "weighted_estimate.ts"],
  ["tuning", "tuneChains", "tuning.ts"],
  ["drawing", "drawChains", "sample_chains.ts"],
  ["sampling for refits", "refitWithout", "exact.ts"],
  ["likelihoods of draws", "pointwiseLogLikelihood", "posterior.ts"],
  ["smoothing weights", "psisLoo", "psis.ts"],
  ["control variates", "ControlVariates", "control_variates.ts"],
  ["bridges of refits", "bridgeBetween", "exact.ts"],
  ["convergence", "mixing", "posterior.ts"],
  ["efficiency", "relativeEfficiency", "posterior.ts"],
  ["collecting garbage", "(garbage collector)", ""],
];

/** `phases FILE.cpuprofile`: of `deno run -A --cpu-prof bench/main.ts fresh 100`, for example. */
export async function benchPhases([file]: readonly string[]): Promise<void> {
  const profile = JSON.parse(await Deno.readTextFile(file)) as Profile;
  const phaseOf = phasesOfNodes(profile);
  const spent = new Map<string, number>();
  let total = 0;
  for (const [k, sample] of profile.samples.entries()) {
    const phase = phaseOf.get(sample);
    if (phase === undefined) continue;
    total += profile.timeDeltas[k];
    spent.set(phase, (spent.get(phase) ?? 0) + profile.timeDeltas[k]);
  }
  for (const [phase, time] of [...spent].sort((a, b) => b[1] - a[1])) {
    console.log(`${phase.padEnd(28)} ${(100 * time / total).toFixed(1).padStart(5)} %`);
  }
}

/** The phase of every node below `scoreProgram`, and of the garbage collector. */
function phasesOfNodes({ nodes }: Profile): Map<number, string> {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const found = new Map<number, string>();
  const visit = (id: number, outer: string | undefined) => {
    const { callFrame, children = [] } = byId.get(id)!;
    const { functionName: name, url } = callFrame;
    const own = phases.find(([, function_, file]) => function_ === name && url.endsWith(file));
    const phase = own?.[0] ?? (name === "scoreProgram" ? "the rest" : outer);
    // Chains of refits are tuned and drawn by the same functions as the others.
    const kept = outer === "sampling for refits" && /tuning|drawing|climbing/.test(phase!);
    const mine = kept ? outer : phase;
    if (mine !== undefined) found.set(id, mine);
    for (const child of children) visit(child, mine);
  };
  visit(nodes[0].id, undefined);
  return found;
}
