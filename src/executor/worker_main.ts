/** Entry of the engine worker: the native engine behind the worker's loop. Bundled as worker.js. */
import { answer } from "./worker_answers.ts";
import { serve } from "./worker_serve.ts";

serve(answer);
