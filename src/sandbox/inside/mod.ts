/** Inside a confined process: how it was launched. */
export { launchedArgument } from "./launched.ts";
