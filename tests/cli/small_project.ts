/** A project whose one pipeline runs in seconds: the small grammar, four steps of a loop. */

/** Files of the repository that it needs. */
export const smallFiles = ["configs", "data/dugongs.csv", "grammars", "pipelines", "docs/examples"];

/** `run` with this is pipelines/dugongs.toml over the small grammar, with a few short steps. */
export const smallRun = ["run", "pipelines/dugongs.toml", "@configs/fast.toml", "@tiny.toml"];

/** An overlay; `more` stands below it. */
export function tinyOverlay(more = ""): string {
  return `[stages.warm_start]
steps = 2
[stages.train]
steps = 4
[stages.train.stages.sample]
batch_size = 4
[stages.train.stages.progress]
every = 2
[stages.evaluate]
floor_repetitions = 2
[[checks]]
name = "every program is enumerated"
sql = "select count(*) = 88 from enumeration where stage = 'evaluate'"
${more}`;
}
