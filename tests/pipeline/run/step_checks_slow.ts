/** Checks that are asked while a loop goes on: they stop the run at a step, or warn. */
import assert from "node:assert/strict";
import { walkPipeline, warningKeeper, withProject } from "./project.ts";

const check = (sql: string, more: string) =>
  `${walkPipeline}\n[[checks]]\nname = "near"\nsql = "${sql}"\nevery = 10\n${more}`;

const early = "select max(step) < 25 from metric where stage = 'train.move'";
const slow = { sets: ["stages.train.stages.move.milliseconds=40"] };
/** Of the whole loop; how soon a check is asked after its step is the machine's. */
const steps = 60;

Deno.test("a check that fails on the way stops the loop after its step, and the run has failed", () =>
  withProject(async (project) => {
    const toml = check(early, "");
    const { status, exitCode, checks, stages, runId } = await project.run(toml, slow);
    assert.deepEqual([status, exitCode], ["failed", 1]);
    assert.equal(checks.length, 1);
    const [, step] = /^false at step (\d+) of train$/.exec(checks[0].found)!;
    assert.ok(Number(step) >= 25 && Number(step) < steps, checks[0].found);
    assert.equal(stages.find(({ stage }) => stage === "train")!.status, "interrupted");
    const [[last]] = await project.query(
      runId,
      "select max(step) from metric where stage = 'train.move'",
    );
    assert.ok(Number(last) >= 25 && Number(last) < steps, `${last}`);
    const without = await project.run(walkPipeline, slow);
    assert.deepEqual([without.status, without.resumed], ["done", true], "it goes on from there");
  }));

Deno.test("a check that warns lets the run end well, on the way and at its end", () =>
  withProject(async (project) => {
    const observer = warningKeeper();
    const toml = check(early, 'on_fail = "warn"');
    const { status, exitCode, checks } = await project.run(toml, { ...slow, observer });
    assert.deepEqual([status, exitCode, checks[0].passed], ["done", 0, false]);
    const said = observer.warnings.filter((one) => one.includes('check "near" does not hold'));
    assert.ok(
      said.length >= 1 && /at step \d+ of train/.test(said[0]),
      observer.warnings.join("\n"),
    );
  }));

Deno.test("a check on the way takes no more memory than one at the end, and reaches no file", () =>
  withProject(async (project) => {
    const limits = { timeout: 60, memory: 64 << 20 };
    const greedy = "select len(list(range)) > 0 from range(40000000)";
    const { checks } = await project.run(check(greedy, ""), { ...slow, checkLimits: limits });
    assert.match(checks[0].found, /memory[\s\S]*at step \d+ of train/i);
    const outside = "select count(*) >= 0 from read_text('/etc/hostname')";
    const refused = await project.run(check(outside, ""), slow);
    assert.match(refused.checks[0].found, /disabled[\s\S]*at step \d+ of train/i);
  }));
