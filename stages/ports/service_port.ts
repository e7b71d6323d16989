/** Services as artifacts: the process to start, and where it answers. */
import type { ServiceProcess } from "../../src/base/service_process.ts";
import { jsonPort } from "./json_codec.ts";

/** Process that serves while a run goes on. */
export const serviceType = jsonPort<ServiceProcess, ServiceProcess>("service", (v) => v, (v) => v);
