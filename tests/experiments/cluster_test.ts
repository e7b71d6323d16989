/** Batch scripts and Snakefiles as texts: their contents, and refusals. */
import assert from "node:assert/strict";
import type { InputError } from "../../src/base/diagnostic.ts";
import { batchScript, jobOf, readCluster } from "../../src/experiments/cluster/slurm.ts";
import { snakefile } from "../../src/experiments/cluster/snakefile.ts";

const submission = {
  name: "grid-1",
  command: ["sweep", "work", "grid-1"],
  project: "/shared/my project",
  sluice: "deno task sluice",
  points: 6,
  userFolder: "/home/u/.config",
};

const cluster = (text = "") => readCluster(text, "cluster.toml");

Deno.test("a script is an array of workers, with the user's key, a warning and a requeue", () => {
  const text = batchScript(
    cluster('workers = 4\ntime = "1:00:00"\noptions = ["--nice"]'),
    submission,
  );
  const directives = text.split("\n").filter((line) => line.startsWith("#SBATCH "));
  assert.deepEqual(directives.map((line) => line.slice(8)), [
    "--job-name=grid-1",
    "--array=0-3",
    "--time=1:00:00",
    '--chdir="/shared/my project"',
    '--output="/shared/my project/.sluice/slurm/%x-%A_%a.log"',
    "--signal=B:USR1@120",
    "--requeue",
    "--nice",
  ]);
  assert.match(text, /^#!\/bin\/bash\n#SBATCH/);
  assert.match(text, /\ncd '\/shared\/my project'\n/);
  assert.match(text, /\nexport XDG_CONFIG_HOME=\/home\/u\/\.config\n/);
  assert.match(text, /\nsrun --ntasks=1 deno task sluice sweep work grid-1 &\n/);
  const { success } = new Deno.Command("bash", { args: ["-n", "-c", text] }).outputSync();
  assert.ok(success, "bash reads it");
});

Deno.test("a warning that comes before there is a worker puts the task back into the queue", () => {
  const folder = Deno.makeTempDirSync();
  for (const name of ["srun", "scontrol"]) {
    const script = `#!/bin/sh\necho "${name} $@" >>'${folder}/said'\n`;
    Deno.writeTextFileSync(`${folder}/${name}`, script, { mode: 0o755 });
  }
  const text = batchScript(cluster('setup = ["kill -USR1 $$"]'), {
    ...submission,
    project: folder,
  });
  const env = { PATH: `${folder}:${Deno.env.get("PATH")}`, SLURM_JOB_ID: "7" };
  const { code } = new Deno.Command("bash", { args: ["-c", text], env }).outputSync();
  const said = Deno.readTextFileSync(`${folder}/said`);
  assert.deepEqual([code, said], [130, "scontrol requeue 7\n"]);
  Deno.removeSync(folder, { recursive: true });
});

Deno.test("there are no more workers than points, nor than an array may have", () => {
  const arrayOf = (text: string, points: number) =>
    /--array=(\S+)/.exec(batchScript(cluster(text), { ...submission, points }))?.[1];
  assert.equal(arrayOf("workers = 500", 6), "0-5");
  assert.equal(arrayOf("workers = 5000", 100_000), "0-999");
  assert.equal(arrayOf("workers = 5000\nmost_array = 10", 100_000), "0-9");
  assert.equal(arrayOf("workers = 4", 1), undefined);
  assert.doesNotMatch(batchScript(cluster("requeue = false"), submission), /requeue/);
});

Deno.test("a template has its own lines around both parts", () => {
  const read = { ...cluster(), template: "#!/bin/sh\n{directives}\n# ours\n{body}\n" };
  assert.match(batchScript(read, submission), /^#!\/bin\/sh\n#SBATCH[\s\S]*\n# ours\nset -u\n/);
  const wrong = { ...cluster(), template: "#!/bin/sh\n{body}\n" };
  assert.throws(() => batchScript(wrong, submission), /it lacks \{directives\}/);
});

Deno.test("keys that are unknown or wrong are told together, with their lines", () => {
  assert.throws(
    () => cluster('workers = 0\nwrkers = 1\nsetup = ["a\\nb"]\n'),
    (error: InputError) => {
      assert.deepEqual(error.diagnostics.map(({ span }) => span?.line).toSorted(), [1, 2, 3]);
      return true;
    },
  );
});

Deno.test("the number of a job is found among the banner of a site", () => {
  assert.equal(jobOf("*** maintenance on 3 May ***\n4711\n"), "4711");
  assert.equal(jobOf("welcome\nSubmitted batch job 12\n"), "12");
  assert.equal(jobOf("4711;east\nsee you\n"), "4711");
  assert.equal(jobOf("no job here\n"), undefined);
});

Deno.test("a Snakefile has a job for each point, with the resources of the cluster", () => {
  const text = snakefile(
    { sweep: "g-1", points: 3, sluice: "npx sluice" },
    cluster('time = "1-02:30:00"\nmemory = "4GB"\ncpus = 2\nsetup = ["echo \\"hi\\""]\n'),
  );
  assert.match(text, /POINTS = range\(3\)/);
  assert.match(text, /threads: 2\n {4}resources:\n {8}mem="4GB",\n {8}runtime=1590,\n {4}shell:/);
  assert.match(
    text,
    /"echo \\"hi\\"\\nnpx sluice sweep work g-1 --wait --retry --points \{wildcards\.point\}"/,
  );
});
