/** A module of the user's that is asked in a process without permissions. */
import assert from "node:assert/strict";
import { askedModule } from "../../../src/pipeline/process/mod.ts";
import { type TestProject, withProject } from "../run/project.ts";

/** An answer, or the words of its error. */
type Answered = { readonly n?: number; readonly ask?: number; readonly error?: string };

async function askedOf(
  project: TestProject,
  name: string,
  asks: readonly unknown[],
): Promise<Answered[]> {
  const asked = askedModule(project.path(name), project.root);
  try {
    const answers = asks.map((ask) => asked.ask(ask).catch(({ message }) => ({ error: message })));
    return await Promise.all(answers) as Answered[];
  } finally {
    await asked.close();
  }
}

Deno.test("questions are answered in order, by one process; an error is one answer's", () =>
  withProject(async (project) => {
    project.write(
      "counts.ts",
      `let n = 0;
export default {
  answer(ask: number) {
    n++;
    if (ask === 2) throw new Error("not two");
    return { n, ask };
  },
};
`,
    );
    const [one, two, three] = await askedOf(project, "counts.ts", [1, 2, 3]);
    assert.deepEqual([one, three], [{ n: 1, ask: 1 }, { n: 3, ask: 3 }]);
    assert.match(two.error!, /not two/);
  }));

Deno.test("a module that touches files or the network, exits, or answers nothing, is refused", () =>
  withProject(async (project) => {
    const answers = (body: string) => `export default { answer: () => { ${body} } };\n`;
    project.write("secret.txt", "a secret");
    project.write("reads.ts", answers(`return Deno.readTextFileSync("secret.txt")`));
    project.write("runs.ts", answers(`return new Deno.Command("/bin/true").outputSync().code`));
    project.write("exits.ts", answers("Deno.exit(0)"));
    project.write("empty.ts", "export default {};\n");
    for (const name of ["reads.ts", "runs.ts"]) {
      const [{ error: message = "" }] = await askedOf(project, name, [1]);
      assert.match(message, /permission|Requires (read|run) access/i);
      assert.doesNotMatch(message, /a secret/);
    }
    assert.match((await askedOf(project, "exits.ts", [1]))[0].error!, /its process ended/);
    project.write(
      "ends.ts",
      "export default { answer: (ask) => ask === 1 ? Deno.exit(0) : { ask } };\n",
    );
    const [ended, answered] = await askedOf(project, "ends.ts", [1, 2]);
    assert.match(ended.error!, /its process ended/);
    assert.deepEqual(answered, { ask: 2 });
    assert.match((await askedOf(project, "empty.ts", [1]))[0].error!, /does not answer/);
  }));

Deno.test("a module outside of the project is refused before anything of it is read", () =>
  withProject(async (project) => {
    await withProject((elsewhere) => {
      elsewhere.write("other.ts", "export default { answer: () => 1 };\n");
      assert.throws(() => askedModule(elsewhere.path("other.ts"), project.root), /lies outside/);
      return Promise.resolve();
    });
  }));
