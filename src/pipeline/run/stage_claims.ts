/** Stages that several runs would compute: the run that claims one does, the others wait for it. */
import { join } from "node:path";
import { Claims, Owner } from "../store/claims.ts";

/** Milliseconds between two checks of another run. */
const lookEvery = 50;

/** How a stage is waited for. */
interface ClaimOptions {
  /** Called once, if another run has the stage. */
  readonly onWait: () => void;
  /** True once another run has computed the stage, so that it is not to be computed here. */
  readonly isDone: () => boolean;
  /** Takes what else the run needs for itself; undefined if another run still holds it. */
  readonly also?: () => boolean;
  /** Ends the waiting. */
  readonly stop: AbortSignal;
}

/** The claims of one run, in `.sluice/claims`; a claim of a dead run is taken over. */
export class StageClaims {
  readonly #owner: Owner;
  readonly #claims: Claims;

  constructor(root: string) {
    this.#owner = new Owner(root);
    this.#claims = new Claims(join(root, ".sluice"), this.#owner);
  }

  /** Waits until the stage is `mine`, is `done` by another run, or this run was `stopped`. */
  async take(
    fingerprint: string,
    { onWait, isDone, also = () => true, stop }: ClaimOptions,
  ): Promise<"mine" | "done" | "stopped"> {
    for (let looks = 0; !stop.aborted; looks++) {
      if (this.#claims.take(fingerprint)) {
        const done = isDone();
        if (!done && also()) return "mine";
        this.release(fingerprint);
        if (done) return "done";
      }
      if (looks === 0) onWait();
      await this.#look(fingerprint, stop);
    }
    return "stopped";
  }

  /** Gives a stage back, computed or not. */
  release(fingerprint: string): void {
    this.#claims.release(fingerprint);
  }

  close(): void {
    this.#owner.close();
  }

  /** Returns when there is something to try again. */
  async #look(fingerprint: string, stop: AbortSignal): Promise<void> {
    do await new Promise((resolve) => setTimeout(resolve, lookEvery)); while (
      !stop.aborted && !this.#claims.isAbandoned(fingerprint)
    );
  }
}
