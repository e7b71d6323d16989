/** Runs the stage kind `play`: episode after episode, a few at a time. */
import { inputError } from "../../src/base/diagnostic.ts";
import { defineStage } from "../../src/pipeline/contract/mod.ts";
import { requireEntries } from "../../src/executor/play/draw_rows.ts";
import declaration from "./mod.ts";
import { agentOpener } from "./agents.ts";
import { theoriesOf } from "./theories_of.ts";
import { type Played, playEpisode } from "./play_episode.ts";

/** Episodes that are played at once: workers have to do while an agent thinks. */
const atOnce = 4;

export default defineStage({
  ...declaration,
  async run(context, { experiment, programs, policy, texts }, params) {
    requireEntries(experiment, params.budget);
    if (experiment.module && !programs) throw noTheory(experiment.name);
    const { name, open } = await agentOpener(
      context,
      params.agent,
      experiment,
      params.budget,
      { ...(policy && { policy }), ...(texts && { texts }) },
    );
    const theories = programs && theoriesOf(programs);
    const waiting = params.seeds.flatMap((seed) =>
      Array.from({ length: params.episodes }, (_, episode) => ({ seed, episode }))
    );
    const total = waiting.length;
    const played: Played[] = [];
    const work = async () => {
      for (let next = waiting.shift(); next; next = waiting.shift()) {
        const label = {
          ...next,
          agent: theories ? `${name} over ${theories.length} theories` : name,
        };
        const isInformed = params.agent === "information";
        const found = await playEpisode(
          context,
          { experiment, params, label, theories, isInformed },
          open,
        );
        played.push(found);
        context.progress({ episodes: `${played.length} of ${total}` });
      }
    };
    await Promise.all(Array.from({ length: Math.min(atOnce, total) }, work));
    played.sort((a, b) => a.seed - b.seed || a.episode - b.episode);
    const refused = played.reduce((sum, one) => sum + one.refusals, 0);
    if (refused > 0) context.log(`${refused} queries were refused`, "warning");
    return { played: { rows: played.map((one) => ({ ...one })) } };
  },
});

/** Questions are answered by a theory: of a world that is a module none is known. */
function noTheory(name: string): Error {
  const message = `Cannot play experiment "${name}": its world is a module, and no theory is wired`;
  const hint =
    'add programs that may explain it: inputs = { experiment = …, programs = "theories.environment" }';
  return inputError("play/no-theory", message, undefined, hint);
}
