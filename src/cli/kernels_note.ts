/** Names the kernels of a pipeline's policies: a line of the run's header per stage that makes one. */
import type { ResolvedPipeline, ResolvedStage } from "../pipeline/read/mod.ts";
import type { Terminal } from "../report/terminal.ts";

/** As much of a stage's parameters as is read here. */
interface PolicyParams {
  readonly kind?: unknown;
  readonly backend?: unknown;
}

/** Prints for each stage that makes a policy which kernels will compute it, and why not others. */
export async function noteKernels(
  { stages }: Pick<ResolvedPipeline, "stages">,
  terminal: Pick<Terminal, "note">,
): Promise<void> {
  const units = stages.flatMap((stage) => [stage, ...stage.loop?.stages ?? []]);
  const made = units.flatMap((unit) => {
    const policy = policyOf(unit);
    return typeof policy?.backend === "string" ? [{ unit, policy }] : [];
  });
  if (made.length === 0) return;
  const { kernelLine } = await import("../gfn/policies/built_in/mod.ts");
  for (const { unit, policy } of made) {
    terminal.note(`Policy of ${unit.name}: ${policy.kind} on ${kernelLine(`${policy.backend}`)}`);
  }
}

function policyOf({ params }: ResolvedStage): PolicyParams | undefined {
  const { policy } = params as { readonly policy?: unknown };
  return typeof policy === "object" && policy !== null ? policy : undefined;
}
