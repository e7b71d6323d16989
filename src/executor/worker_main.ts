/** Entry of the engine worker: the native engine behind the worker's loop. Bundled as worker.js. */
import { scoreProgram } from "../engine/score/score.ts";
import { scoreGraph } from "../engine/score/score_graph.ts";
import { serve } from "./worker_serve.ts";

serve(({ program, graph }, dataset, schedule) =>
  graph === undefined
    ? scoreProgram(program, dataset, schedule)
    : scoreGraph(graph, dataset, schedule)
);
