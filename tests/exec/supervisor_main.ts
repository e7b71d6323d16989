/** A supervisor for the orphan test: two workers on endless programs, their ids on stdout. */
import { WorkerPool } from "../../src/exec/pool.ts";
import { poolOptions } from "./fake.ts";

const pool = new WorkerPool({ ...poolOptions, limits: { ...poolOptions.limits, wallMs: 600_000 } });
await pool.warm();
console.log(JSON.stringify(pool.pids));
await Promise.all([pool.execute({ program: "spin" }), pool.execute({ program: "spin" })]);
