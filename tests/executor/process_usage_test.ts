/** Tests of the reader of /proc, on texts as Linux writes them. */
import assert from "node:assert/strict";
import { parseUsage } from "../../src/executor/process_usage.ts";

Deno.test("parseUsage() finds CPU time and peak memory, whatever the process is called", () => {
  const stat = "41 (a ) b (c) R 1 41 41 0 -1 4194304 213 0 0 0 123 77 5 6 20 0 9 0 100 1 2";
  const status = "Name:\ta\nVmPeak:\t  999 kB\nVmHWM:\t   46504 kB\nVmRSS:\t  40000 kB\n";
  assert.deepEqual(parseUsage(stat, status), { cpuMs: 2000, maxRssKib: 46504 });
});
