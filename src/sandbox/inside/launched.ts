/** Flag for a worker whose confinement was attested before it was started. */

/** States that the launcher attested the kernel's denials before the worker was started. */
export const launchedArgument = "launched";
