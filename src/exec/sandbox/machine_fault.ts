/** Which ends of a confined program are the machine's doing, whatever the program was. */
import type { ExecutionStatus } from "../../score/execution.ts";

/** True where the sandbox itself failed: worth another try, and no judgement of the program. */
export function isMachineFault(status: ExecutionStatus): boolean {
  return status === "sandbox_error" || status === "sandbox_unavailable";
}
