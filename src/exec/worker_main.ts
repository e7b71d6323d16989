/** Entry of the engine worker: the native engine behind the worker's loop. Bundled as worker.js. */
import { scoreProgram } from "../score/score.ts";
import { serve } from "./worker_serve.ts";

await serve(scoreProgram);
