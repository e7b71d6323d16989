/** Tests of which files a confined interpreter is given. */
import assert from "node:assert/strict";
import { pythonProgram } from "../../src/sandbox/python_program.ts";

Deno.test({
  name: "a virtual environment brings along the installation that it was made from (needs Linux)",
  ignore: Deno.build.os !== "linux",
  fn: () => {
    const folder = Deno.makeTempDirSync();
    const [environment, base] = [`${folder}/environment`, `${folder}/base`];
    for (const path of [`${environment}/bin`, `${base}/bin`]) {
      Deno.mkdirSync(path, { recursive: true });
    }
    const python = `${environment}/bin/python`;
    Deno.writeTextFileSync(python, "");
    Deno.writeTextFileSync(`${environment}/pyvenv.cfg`, `home = ${base}/bin\nversion = 3.11.7\n`);
    const bound = () => {
      const { world } = pythonProgram({ python, script: "/dev/null" }, "L3");
      return world.bindings.map(({ path }) => path).filter((path) => path.startsWith(folder));
    };
    assert.deepEqual(bound(), [environment, base]);
    Deno.removeSync(base, { recursive: true });
    assert.deepEqual(bound(), [environment]);
    Deno.removeSync(folder, { recursive: true });
  },
});
