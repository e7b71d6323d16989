/** `sluice report`: the page of a ranking through the real command line, and what is refused. */
import assert from "node:assert/strict";
import { type CommandLine, withProject } from "./command_line.ts";
import { temporaryFolder } from "../temporary_folder.ts";

const programs = ["docs/examples/line.py", "docs/examples/curve.py"];

Deno.test("report writes a page that is whole, and refuses what it cannot write", async (test) => {
  await withProject(["docs/examples", "data/dugongs.csv"], async (project) => {
    const none = await project.sluice("report", "--out", "told");
    assert.deepEqual([none.code, project.list().includes("told")], [2, false]);
    const ranked = ["rank", ...programs, "--data", "data/dugongs.csv", "--quiet"];
    assert.equal((await project.sluice(...ranked)).code, 0);

    await test.step("with curves, checks, code and pictures, twice the same", async () => {
      const { code, err } = await project.sluice("report", "--out", "told");
      assert.equal(code, 0, err);
      assert.match(err, /told\/report\.html and 9 pictures/);
      const page = project.read("told/report.html");
      const parts = [...page.matchAll(/<h2 id="(\w+)"/g)].map(([, id]) => id);
      const wanted = ["data", "questions", "curves", "checks", "influence", "warnings"];
      assert.deepEqual(
        parts,
        [...wanted, "programs", "reproduce"],
        "nothing was trained: no proof",
      );
      assert.match(page, /<b>program: curve\.py<\/b>/);
      assert.match(page, /1 program, drawn from all programs by their probability/);
      assert.match(page, /pm\.Normal\(/, "canonical PyMC");
      assert.doesNotMatch(page, /(are|is) missing[:.]|undefined|NaN/);
      for (const name of ["curve_average", "loo_pit", "replicated_data", "question_1_program"]) {
        const svg = project.read(`told/${name}.svg`);
        assert.match(svg, /^<svg [^]*prefers-color-scheme[^]*<\/svg>\n$/);
        const png = Deno.readFileSync(project.path("told", `${name}.png`));
        assert.deepEqual([...png.subarray(0, 4)], [0x89, 0x50, 0x4e, 0x47]);
      }
      assert.equal((await project.sluice("report", "--out", "again")).code, 0);
      assert.equal(project.read("again/report.html"), page, "the same bytes");
    });

    await test.step("not of a run that is not there, into a file, or over a link", async () => {
      await refuses(project, /01XYZ/, "01XYZ", "--out", "told");
      project.write("file", "");
      const isFile = /Cannot write into file, as --out says: .*file is a file\n {2}mend: name/;
      await refuses(project, isFile, "--out", "file");
      const elsewhere = temporaryFolder();
      Deno.symlinkSync(elsewhere, project.path("linked"));
      const leadsOut = /a symbolic link leads out of the project/;
      await refuses(project, leadsOut, "--out", "linked");
      Deno.writeTextFileSync(`${elsewhere}/victim`, "kept");
      Deno.mkdirSync(project.path("out"));
      Deno.symlinkSync(`${elsewhere}/victim`, project.path("out", "report.html"));
      await refuses(project, leadsOut, "--out", "out");
      assert.equal(Deno.readTextFileSync(`${elsewhere}/victim`), "kept");
      Deno.removeSync(elsewhere, { recursive: true });
    });

    await test.step("--no-fit says what is missing, --open what opens no page", async () => {
      const asked = ["report", "last", "--no-fit", "--out", "bare", "--open"];
      Deno.mkdirSync(project.path("bin"));
      Deno.symlinkSync(Deno.execPath(), project.path("bin", "deno"));
      const { code, err } = await project.sluiceWith({ PATH: project.path("bin") }, ...asked);
      assert.equal(code, 3, err);
      assert.match(
        err,
        /Cannot show the page: .*\n {2}mend: open it yourself: file:\/\/PROJECT\/bare\//,
      );
      const page = project.read("bare/report.html");
      assert.match(page, /Posteriors of programs are not kept.*<code>[^<]*report \w+ --out DIR</);
    });

    await test.step("without the run's data it says so; --open starts the system's opener", async () => {
      Deno.removeSync(project.path(".sluice", "objects"), { recursive: true });
      project.write("bin/xdg-open", `#!/bin/sh\necho "$1" > "${project.path("opened")}"\n`);
      Deno.chmodSync(project.path("bin", "xdg-open"), 0o755);
      const PATH = `${project.path("bin")}:/usr/bin:/bin`;
      const { code, err } = await project.sluiceWith(
        { PATH },
        ...["report", "--out", "gone", "--open"],
      );
      assert.equal(code, 0, err);
      assert.match(project.read("opened"), /^file:\/\/\/.*\/gone\/report\.html\n$/);
      assert.match(project.read("gone/report.html"), /no longer in the store.*<code>[^<]* rank /);
    });
  });
});

async function refuses(project: CommandLine, why: RegExp, ...args: string[]): Promise<void> {
  const { code, err } = await project.sluice("report", ...args);
  assert.equal(code, 2, err);
  assert.match(err, why);
}
