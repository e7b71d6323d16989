/** A command that trains the tiny model of a folder: `deno run … tinker_service.ts FOLDER PORT TOKEN`. */
import { openCheckpoint, readWeights } from "../../../src/models/mod.ts";
import { FakeTinker } from "./fake_tinker.ts";

const [folder, port, token] = Deno.args;
const { config, file } = openCheckpoint(folder);
const weights = readWeights(file, config);
file.close();
new FakeTinker(config, weights, Number(port)).token = token;
