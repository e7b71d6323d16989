/** Files of strangers, from a CSV to the answer and its page: counts with zeros, and groups without a unit. */
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import type { Answer } from "../../src/answers/mod.ts";
import { withProject } from "./command_line.ts";

/** Target of an answer. */
function targetOf({ questions }: Answer, question: string, answer: string): number {
  const asked = questions.find((one) => one.question === question)!;
  return asked.answers.find((one) => one.answer === answer)!.target!;
}

Deno.test("bikes: a count with zeros, words, dates, and a part of a whole", () =>
  withProject(["data/bikes.csv"], async (project) => {
    const shown = await project.sluice("data", "data/bikes.csv", "--response", "casual");
    assert.match(
      shown.out,
      /\ndate: dates: with --time date, init and rank order the rows by them/,
    );
    assert.match(shown.out, /\nbikers: with "registered" it tells "casual"\n/);
    const formula = "casual ~ [temp] + [workingday] + weather";
    const asked = ["--formula", formula, "--families", "poisson,negative_binomial"];
    const args = ["rank", "data/bikes.csv", "--response", "casual", ...asked, "--json", "--quiet"];
    const { code, out, err } = await project.sluice(...args);
    assert.equal(code, 0, err);
    const answer: Answer = JSON.parse(out);
    assert.deepEqual([answer.programs, answer.scored, answer.rows], [8, 8, 363]);
    assert.ok(targetOf(answer, "temp", "in") > 0.99);
    assert.ok(targetOf(answer, "family", "negative_binomial") > 0.99);
    const page = await project.sluice("report", "last", "--out", "page");
    assert.equal(page.code, 0, page.err);
    assert.ok(existsSync(project.path("page/report.html")));
  }));

Deno.test("radon: a group without a unit has both figures and the decision that it asks for", () =>
  withProject([], async (project) => {
    const lines = Deno.readTextFileSync(new URL("../../data/radon.csv", import.meta.url))
      .split("\n").filter((line) => /^(county|Becker|Benton|Blue Earth|Brown|Carlton),/.test(line));
    project.write("radon.csv", lines.join("\n") + "\n");
    const asked = ["--formula", "log(radon) ~ [floor] + (1 | county)", "--families", "normal"];
    const args = ["rank", "radon.csv", "--response", "radon", ...asked, "--json", "--quiet"];
    const { code, out, err } = await project.sluice(...args);
    assert.equal(code, 0, err);
    const answer: Answer = JSON.parse(out);
    assert.deepEqual([answer.programs, answer.scored, answer.rows], [2, 2, lines.length - 1]);
    const page = await project.sluice("report", "last", "--out", "page");
    assert.equal(page.code, 0, page.err);
    const text = project.read("page/report.html").replace(/<[^>]*>/g, "").replace(/\s+/g, " ");
    assert.match(
      text,
      /with single rows left out and -?[\d.]+ ± [\d.]+ with whole groups left out/,
    );
    assert.match(text, /They answer 1 question: floor \(2 answers\)\./); // one family is no question
    project.write("new.csv", "county,floor\nBecker,ground\nAitkin,ground\nAitkin,basement\n");
    const predicted = await project.sluice("predict", "last", "--at", "new.csv");
    assert.equal(predicted.code, 0, predicted.err);
    assert.match(
      predicted.err,
      /county has a level that the data do not have \(Aitkin\); a group's effects there are draws/,
    );
    assert.match(predicted.out, /\n *Aitkin +ground /);
    project.write("new.csv", "county,floor\nBecker,attic\n");
    const left = await project.sluice("predict", "last", "--at", "new.csv");
    assert.equal(left.code, 2, left.err); // not by programs alone that do not look at the floor
    assert.match(left.err, /floor is "attic", which no row of the data has \(basement, ground\)/);
  }));
