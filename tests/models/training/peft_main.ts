/**
 * Whether PEFT loads the adapters that are saved here and gives the same log probabilities, and
 * transformers the merged weights: `deno task test:peft PYTHON`, a Python with torch, transformers 5
 * and peft.
 */
import { join } from "node:path";
import decoders from "../../golden/decoders.json" with { type: "json" };
import { tinyFolder } from "../checkpoints.ts";
import { setWaves, tinyNames, trainTiny } from "./golden_tree.ts";

const check = `
import json, sys, torch
from peft import PeftModel
from transformers import AutoModelForCausalLM

def load(folder):
    return AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32).eval()

for case in json.load(open(sys.argv[1])):
    ids = torch.tensor([case["ids"]])
    models = {
        "adapter": PeftModel.from_pretrained(load(case["base"]), case["adapter"]),
        "merged": load(case["merged"]),
    }
    for what, model in models.items():
        with torch.no_grad():
            scores = torch.log_softmax(model(ids).logits[0, :-1].double(), -1)
        found = scores.gather(1, ids[0, 1:, None])[:, 0]
        away = (found - torch.tensor(case["scores"], dtype=torch.float64)).abs().max().item()
        print(f"{case['name']}, {what}: {away:.1e} nats away")
        assert away < 1e-4, case["name"]
`;
import { temporaryFolder } from "../../temporary_folder.ts";

function writeFiles(files: ReadonlyMap<string, Uint8Array>): string {
  const folder = temporaryFolder();
  for (const [name, bytes] of files) Deno.writeFileSync(join(folder, name), bytes);
  return folder;
}

const cases = tinyNames.map((name) => {
  const model = trainTiny(name);
  setWaves(model);
  const { ids } = decoders.cases[name];
  const tree = {
    ids: Int32Array.from(ids),
    parents: Int32Array.from(ids, (_, node) => node - 1),
  };
  const rows = ids.slice(1).map((id, node) => ({
    node,
    legal: "all" as const,
    picked: Int32Array.of(id),
  }));
  const pass = model.pass(tree, rows, { grad: false });
  const scores = pass.logProbabilities.map(([score]) => score);
  pass.release();
  const [adapter, merged] = [model.saveAdapter(), model.saveMerged()].map(writeFiles);
  return { name, ids, scores, base: tinyFolder(name), adapter, merged };
});

const [python = "python3"] = Deno.args;
const folder = temporaryFolder();
const [list, script] = ["cases.json", "check.py"].map((name) => join(folder, name));
Deno.writeTextFileSync(list, JSON.stringify(cases));
Deno.writeTextFileSync(script, check);
const command = new Deno.Command(python, { args: [script, list], stdout: "inherit" });
const { code, stderr } = await command.output();
if (code !== 0) console.error(new TextDecoder().decode(stderr));
Deno.exit(code);
