/** `sluice score`: one program outside any pipeline. */
import assert from "node:assert/strict";
import { withProject } from "./command_line.ts";

const curve = `import pymc as pm

with pm.Model() as model:
    age = data["age"]
    a = pm.Normal("a", mu=0, sigma=10)
    b = pm.Normal("b", mu=0, sigma=10)
    sigma = pm.HalfNormal("sigma", sigma=1)
    mu = a + b * pm.math.log(age)
    length = pm.Normal("length", mu=mu, sigma=sigma, observed=data["length"])
`;

const dugongs = ["--data", "data/dugongs.csv"];

Deno.test("a good program gets its score and its parameters", async () => {
  await withProject(["data/dugongs.csv"], async (project) => {
    project.write("curve.py", curve);
    const { code, out, err } = await project.sluice("score", "curve.py", ...dugongs);
    assert.deepEqual([code, err], [0, ""]);
    assert.match(out, /^ELPD-LOO 24\.\d\d, standard error 2\.\d\d\n/);
    assert.match(out, /\nparameter +mean +sd +5 % +95 % +ESS +R-hat\n/);
    assert.deepEqual([...out.matchAll(/^(a|b|sigma) /gm)].map(([, name]) => name).sort(), [
      "a",
      "b",
      "sigma",
    ]);
    assert.deepEqual(project.list(), ["curve.py", "data", "deno.json"]);
  });
});

Deno.test("--json holds the documented keys, one number per row of the data", async () => {
  await withProject(["data/dugongs.csv"], async (project) => {
    project.write("curve.py", curve);
    const { code, out, err } = await project.sluice("score", "curve.py", ...dugongs, "--json");
    assert.deepEqual([code, err], [0, ""]);
    const report = JSON.parse(out);
    const documented = "status engine engine_version program_hash seconds elpd_loo se p_loo mcse " +
      "elpd_pointwise pareto_k exact_refits chains tune draws gradients divergences rhat_max " +
      "ess_bulk_min params diagnostics";
    for (const key of documented.split(" ")) assert.ok(key in report, key);
    assert.deepEqual([report.status, report.engine, report.diagnostics], ["ok", "native", []]);
    assert.deepEqual([report.chains, report.tune], [4, 100]);
    assert.deepEqual([report.elpd_pointwise.length, report.pareto_k.length], [27, 27]);
    const sum = report.elpd_pointwise.reduce((total: number, one: number) => total + one, 0);
    assert.ok(Math.abs(sum - report.elpd_loo) < 1e-9);
    assert.deepEqual(Object.keys(report.params).sort(), ["a", "b", "sigma"]);
    const keys = "ess_bulk ess_tail hdi_3 hdi_97 mcse_mean mcse_sd mean q05 q95 rhat sd shape";
    assert.deepEqual(Object.keys(report.params.a).sort(), keys.split(" "));
    assert.equal(report.loo_method, "gaussian");
    assert.deepEqual([report.rhat_max, report.divergences], [null, null]); // no chain was needed
    assert.equal(report.unit, "row");
    assert.equal(report.loo_pit.length, 27);
    assert.deepEqual(Object.keys(report.predictive_checks), ["mean", "sd", "min", "max"]);
  });
});

Deno.test("the same command gives the same score, another seed another one", async () => {
  await withProject(["data/dugongs.csv"], async (project) => {
    project.write("curve.py", curve);
    const elpd = async (...more: string[]) => {
      const { out } = await project.sluice("score", "curve.py", ...dugongs, "--json", ...more);
      return JSON.parse(out).elpd_loo;
    };
    const first = await elpd();
    assert.equal(await elpd(), first);
    assert.notEqual(await elpd("--seed", "1"), first);
  });
});

Deno.test("a JSON object of columns scores like the CSV of the same numbers", async () => {
  await withProject(["data/dugongs.csv"], async (project) => {
    project.write("curve.py", curve);
    const [, ...lines] = project.read("data/dugongs.csv").trim().split("\n");
    const rows = lines.map((line) => line.split(",").map(Number));
    const columns = { age: rows.map(([age]) => age), length: rows.map(([, length]) => length) };
    project.write("dugongs.json", JSON.stringify(columns));
    const elpd = async (file: string) => {
      const { out } = await project.sluice("score", "curve.py", "--data", file, "--json");
      return JSON.parse(out).elpd_pointwise;
    };
    assert.deepEqual(await elpd("dugongs.json"), await elpd("data/dugongs.csv"));
  });
});

Deno.test("a bad program prints the line with a caret and exits 2", async () => {
  await withProject(["data/dugongs.csv"], async (project) => {
    project.write("bad.py", curve.replace("mu = a + b", "mu = alpha + b"));
    assert.deepEqual(await project.sluice("score", "bad.py", ...dugongs), {
      code: 2,
      out: "",
      err: `bad.py:8:10: Cannot find the name alpha: nothing has been assigned to it
   8 |     mu = alpha + b * pm.math.log(age)
     |          ^^^^^
  mend: known names: pm, np, data, model, age, a, b, sigma, abs, len
`,
    });
  });
});

Deno.test("a bad program as JSON has a class and a place", async () => {
  await withProject(["data/dugongs.csv"], async (project) => {
    project.write("bad.py", curve.replace("sigma=10)", "sigma=10"));
    const { code, out, err } = await project.sluice("score", "bad.py", ...dugongs, "--json");
    const { status, diagnostics: [first] } = JSON.parse(out);
    assert.deepEqual([code, err, status], [2, "", "rejected"]);
    assert.deepEqual([first.severity, first.line, first.column], ["error", 5, 18]);
    assert.equal(first.message, "Cannot parse: '(' was never closed");
  });
});

Deno.test("a program that looks at the response is refused by the rule that it breaks", async () => {
  await withProject(["data/dugongs.csv"], async (project) => {
    project.write("peek.py", curve.replace("mu = a", 'mu = data["length"] + a'));
    const { code, out } = await project.sluice("score", "peek.py", ...dugongs, "--json");
    const codes = JSON.parse(out).diagnostics.map((one: { code: string }) => one.code);
    assert.deepEqual([code, codes[0]], [2, "lh/protected-use-before-score"]);
  });
});

const wrong: [string, string, string[], string][] = [
  [
    "a program that is not there",
    "",
    ["nowhere.py", ...dugongs],
    "Cannot read nowhere.py: there is no such file\n",
  ],
  [
    "data that are not there",
    "",
    ["curve.py", "--data", "nowhere.csv"],
    "Cannot read nowhere.csv: there is no such file\n",
  ],
  [
    "an unknown extension",
    "age length\n1 2\n",
    ["curve.py", "--data", "d.txt"],
    'Cannot read d.txt: found the extension ".txt", wanted .csv, .tsv, .json or .parquet\n',
  ],
  [
    "an empty file",
    "",
    ["curve.py", "--data", "d.txt"],
    "Cannot read d.txt: the file has no rows\n" +
    "  mend: a data file needs a header line and at least one row\n",
  ],
  [
    "an unknown response",
    "",
    ["curve.py", ...dugongs, "--response", "lenght"],
    'Cannot use data/dugongs.csv: there is no column "lenght"\n' +
    '  mend: did you mean "length"? Columns: age, length\n',
  ],
  [
    "the flag of another word",
    "",
    ["curve.py", ...dugongs, "--engine", "pymc"],
    "error: unknown option '--engine'\n(Did you mean --executor?)\n" +
    "(add --help for what is possible)\n",
  ],
  [
    "another executor",
    "",
    ["curve.py", ...dugongs, "--executor", "stan"],
    "error: option '--executor <name>' argument 'stan' is invalid. Allowed choices are native, pymc.\n" +
    "(add --help for what is possible)\n",
  ],
];

for (const [what, text, args, err] of wrong) {
  Deno.test(`score refuses ${what}`, async () => {
    await withProject(["data/dugongs.csv"], async (project) => {
      project.write("curve.py", curve);
      project.write("d.txt", text);
      assert.deepEqual(await project.sluice("score", ...args), { code: 2, out: "", err });
    });
  });
}

Deno.test("score refuses a program that is not UTF-8", async () => {
  await withProject(["data/dugongs.csv"], async (project) => {
    Deno.writeFileSync(project.path("curve.py"), Uint8Array.of(0x23, 0xff, 0x0a));
    const { code, err } = await project.sluice("score", "curve.py", ...dugongs);
    const said = "Cannot read curve.py: it is not UTF-8\n  mend: save the file as UTF-8\n";
    assert.deepEqual([code, err], [2, said]);
  });
});

Deno.test("score of Python that the engine does not read points to the executor that may", async () => {
  await withProject(["data/dugongs.csv"], async (project) => {
    project.write("curve.py", `class Prior:\n    pass\n${curve}`);
    const args = ["score", "curve.py", ...dugongs];
    const plain = await project.sluice(...args);
    assert.equal(plain.code, 2);
    assert.match(plain.err, /Cannot check `class`[^]*\nnext: add --executor pymc: /);
    assert.doesNotMatch((await project.sluice(...args, "--json")).err, /next:/);
  });
});

Deno.test("score --executor pymc says what it needs, and that it saves no draws", async () => {
  await withProject(["data/dugongs.csv"], async (project) => {
    project.write("curve.py", curve);
    const args = ["score", "curve.py", ...dugongs, "--executor", "pymc"];
    const bare = await project.sluice(...args);
    assert.equal(bare.code, 3);
    assert.match(
      bare.err,
      /needs a Python environment[^]*mend: run `sluice doctor --install-python`/,
    );
    const saving = await project.sluice(...args, "--save", "x.zarr");
    assert.equal(saving.code, 2);
    assert.match(
      saving.err,
      /^Cannot save draws with the executor pymc\n {2}mend: leave --save out/,
    );
  });
});

Deno.test("a cell that is no number is named by row and column, a text column is left out", async () => {
  await withProject([], async (project) => {
    project.write("curve.py", curve);
    project.write(
      "bad.csv",
      "age,length,name\n1,1.8,anna\n2,long,bea\n3,2.1,cleo\n5,2.2,dora\n8,2.5,emil\n12,2.4,fay\n",
    );
    assert.deepEqual(await project.sluice("score", "curve.py", "--data", "bad.csv"), {
      code: 2,
      out: "",
      err:
        `bad.csv:3:3: Cannot use bad.csv: column "length", row 2: found "long", wanted a finite number
   3 | 2,long,bea
     |   ^^^^
  mend: correct the cell, or give the column another type, e.g. type = "category"
`,
    });
    project.edit("bad.csv", "long", "1.9");
    assert.equal((await project.sluice("score", "curve.py", "--data", "bad.csv")).code, 0);
  });
});

Deno.test("--summary has a row for every element, --save a store that says where it is", async () => {
  await withProject([], async (project) => {
    project.write(
      "groups.py",
      `import pymc as pm

with pm.Model() as model:
    level = pm.Normal("level", 0, 1, shape=3)
    pm.Normal("y", mu=level[data["g"]], sigma=1, observed=data["y"])
`,
    );
    project.write("data.json", '{"g": [0, 0, 1, 1, 2, 2], "y": [0.1, 0.3, 1.2, 0.8, -1, -1.4]}');
    const args = ["score", "groups.py", "--data", "data.json", "--summary", "--save", "out.zarr"];
    const { code, out, err } = await project.sluice(...args);
    assert.equal(code, 0, err);
    assert.match(
      out,
      /^ +mean +sd +hdi_3% +hdi_97% +mcse_mean +mcse_sd +ess_bulk +ess_tail +r_hat$/m,
    );
    assert.deepEqual([...out.matchAll(/^level\[\d\]/gm)].map(([name]) => name), [
      ...["level[0]", "level[1]", "level[2]"],
    ]);
    assert.match(err, /are in out\.zarr: xarray\.open_datatree/);
    assert.ok(project.list("out.zarr").includes("posterior_predictive"));
    const again = await project.sluice(...args);
    assert.deepEqual([again.code, again.out], [2, ""]);
    assert.match(again.err, /Cannot save to out\.zarr: it exists/);
  });
});

Deno.test("a group column warns until rows or groups are chosen", async () => {
  await withProject([], async (project) => {
    project.write(
      "line.py",
      `import pymc as pm

with pm.Model() as model:
    mu = pm.Normal("mu", 0, 1)
    pm.Normal("y", mu=mu, sigma=1, observed=data["y"])
`,
    );
    project.write("data.csv", "g,y\na,0.1\na,0.3\nb,1.2\nb,0.8\nc,-1\nc,-1.4\n");
    const args = ["score", "line.py", "--data", "data.csv", "--group", "g", "--response", "y"];
    const report = async (...more: string[]) =>
      JSON.parse((await project.sluice(...args, "--json", ...more)).out);
    const undecided = await report();
    assert.deepEqual(undecided.diagnostics.map(({ code }: { code: string }) => code), ["loo/unit"]);
    assert.equal(undecided.elpd_pointwise.length, 6);
    assert.deepEqual((await report("--unit", "row")).diagnostics, []);
    const groups = await report("--unit", "group");
    assert.deepEqual([groups.unit, groups.diagnostics], ["group", []]);
    assert.equal(groups.elpd_pointwise.length, 3);
  });
});

Deno.test("a program that takes longer than it may is undecided: exit 1, and the flag", async () => {
  await withProject(["data/dugongs.csv"], async (project) => {
    project.write("curve.py", curve.replace('pm.Normal("length"', 'pm.StudentT("length", nu=4'));
    const endless = ["--draws", "150000", "--max-gradients", "1000000000", "--timeout", "1"];
    const { code, out, err } = await project.sluice("score", "curve.py", ...dugongs, ...endless);
    assert.deepEqual([code, out], [1, ""]);
    assert.match(
      err,
      /Cannot decide on the program: it took more than 1 s\n +mend: .*--timeout\n$/,
    );
  });
});

Deno.test("assignments that go round in a circle are followed once each", async () => {
  await withProject(["data/dugongs.csv"], async (project) => {
    project.write("round.py", "a = a\n".repeat(300) + curve.replace('data["length"])', "a)"));
    const started = performance.now();
    const { code, err } = await project.sluice("score", "round.py", ...dugongs);
    assert.equal(code, 2);
    assert.match(err, /Cannot find the name a/);
    assert.ok(performance.now() - started < 20_000);
  });
});

Deno.test("of a very wide table the program's own columns are data, and no other", async () => {
  await withProject([], async (project) => {
    const names = Array.from({ length: 5000 }, (_, i) => `c${i}`);
    const row = (i: number) => names.map((_, j) => (i * 7 + j) % 11).join(",");
    project.write("wide.csv", [names.join(","), row(1), row(2), row(3)].join("\n"));
    const text = (name: string) =>
      curve.replace('data["age"]', name).replace('data["length"]', name);
    project.write("none.py", text("nothing"));
    const none = await project.sluice("score", "none.py", "--data", "wide.csv");
    assert.match(
      none.err,
      /the program names none of its 5000 columns\n +mend: columns: c0, c1, .* more\n$/,
    );
    project.write(
      "two.py",
      text('data["c3"]').replace('observed=data["c3"]', 'observed=data["c8"]'),
    );
    const two = await project.sluice("score", "two.py", "--data", "wide.csv", "--json");
    assert.equal(JSON.parse(two.out).status, "ok", two.out + two.err);
  });
});

Deno.test("another deno that comes first on the PATH is not started", async () => {
  await withProject(["data/dugongs.csv"], async (project) => {
    project.write("curve.py", curve);
    project.write("bin/deno", `#!/bin/sh\ntouch ${project.path("started")}\n`);
    Deno.chmodSync(project.path("bin/deno"), 0o755);
    const env = { PATH: `${project.path("bin")}:${Deno.env.get("PATH")}` };
    project.write("p.toml", 'seed = 1\n[stages.data]\nkind = "./kind.ts"\n');
    project.write("kind.ts", "export default 1;\n");
    for (const args of [["score", "curve.py", ...dugongs], ["run", "p.toml"]]) {
      await project.sluiceWith(env, ...args);
      assert.ok(!project.list().includes("started"), args.join(" "));
    }
    const { err } = await project.sluiceWith(env, "check", "p.toml");
    assert.match(err, /"deno" on the PATH is another one, PROJECT\/bin\/deno$/m);
  });
});
