/** Flag by which a worker knows that its confinement was attested before it was started. */

/** Tells a worker that the launcher has attested what the kernel denies before it was started. */
export const launchedArgument = "launched";
