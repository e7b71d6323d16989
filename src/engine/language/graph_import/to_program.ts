/** From the extracted graph of a PyMC model to a checked program, by the native checker's own rules. */
import type { Dataset } from "../../../base/dataset.ts";
import { familyOf } from "../distributions/table.ts";
import type { NodeId } from "../ir/node.ts";
import type { CheckResult } from "../ir/program.ts";
import type { Arguments, GivenValue } from "../interpreter/bind.ts";
import { finish } from "../pymc/check.ts";
import { ModelCheck } from "../pymc/model_check.ts";
import { rowsInOrder } from "../../../base/row_cycle.ts";
import type { RowOrder } from "../pymc/rows/row_order.ts";
import { Source } from "../syntax/source.ts";
import type { Expression } from "../syntax/tree.ts";
import { invalid, none, type Value } from "../interpreter/values.ts";
import { distributionValue, variableOf } from "../pymc/variables.ts";
import { declareVariable } from "../pymc/variable_names.ts";
import type { ExtractedArgument, ExtractedDistribution, Extraction } from "./extraction.ts";
import { GraphReader } from "./graph_reader.ts";
import type { OtherReading } from "./reordered.ts";
import { transformValue } from "./transform_value.ts";

/** Options of a check of a graph, beside graph and data. */
export interface ExtractionOptions {
  /** Whether rows have an order; they have none by default. */
  readonly rows?: RowOrder | "judged";
  /** The program that the graph was built of. */
  readonly text?: string;
}

/**
 * Checks an extracted model against the data, as `checkProgram` checks a text: by the same rules, those for the
 * response included, with the same canonical graph and hash. The response that PyMC has seen is a placeholder;
 * whether the program left it alone is for the caller to compare.
 *
 * @param file the name that diagnostics carry.
 * @param other the graph of the rows in another order; left out: whether it tells rows apart is not checked.
 */
export function checkExtraction(
  extraction: Extraction,
  dataset: Dataset,
  file = "program.py",
  other?: OtherReading,
  options: ExtractionOptions = {},
): CheckResult {
  const checking = new ExtractionCheck(extraction, dataset, file).checked();
  if (!other) return finish(checking);
  const readAgain = () => {
    const again = rowsInOrder(dataset, other.order);
    return { order: other.order, checking: checkOther(other, again, file) };
  };
  const { rows = "exchangeable", text } = options;
  return finish(checking, { rows, text, readAgain });
}

function checkOther({ extraction, failed }: OtherReading, rows: Dataset, file: string): ModelCheck {
  if (extraction) return new ExtractionCheck(extraction, rows, file).checked();
  const none = new ModelCheck(new Source("", file), rows);
  none.error("unsupported/pymc-graph", failed ?? "no graph", { start: 0, end: 0 });
  return none;
}

const unknown: Value = invalid;

class ExtractionCheck {
  readonly #checking: ModelCheck;
  readonly #graph: GraphReader;
  readonly #places: readonly Place[];
  readonly #parameters: (NodeId | undefined)[] = [];

  constructor(private readonly extraction: Extraction, dataset: Dataset, file: string) {
    const { text, places } = listing(extraction);
    this.#places = places;
    this.#checking = new ModelCheck(new Source(text, file), dataset);
    this.#checking.inModel = true;
    this.#checking.modelPlace = { start: 0, end: 0 };
    this.#checking.observedSeen = true;
    const parameter = (index: number) => this.#parameter(index);
    this.#graph = new GraphReader(extraction.nodes, this.#checking.graph, dataset, parameter);
  }

  /** The state of the check when everything has been read. */
  checked(): ModelCheck {
    const { parameters, likelihood, deterministics } = this.extraction;
    parameters.forEach((_, index) => this.#parameter(index));
    const place = this.#places[parameters.length];
    const { transform } = likelihood;
    const response = { kind: "response", ...(transform && { transform }) } as const;
    const observed: GivenValue = { value: response, place: place.callee };
    this.#variable(
      likelihood.name,
      likelihood.distribution,
      place,
      new Map([["observed", observed]]),
    );
    for (const { name, node } of deterministics) this.#deterministic(name, node);
    return this.#checking;
  }

  /** The node of a parameter; its distribution is checked when it is first asked for. */
  #parameter(index: number): NodeId | undefined {
    if (index in this.#parameters) return this.#parameters[index];
    this.#parameters[index] = undefined;
    const { name, distribution, transform } = this.extraction.parameters[index];
    const place = this.#places[index];
    const options = transformValue(distribution.pymc, transform, place.callee);
    const value = this.#variable(name, distribution, place, options);
    const node = value.kind === "sequence" ? this.#checking.named.get(name) : value;
    const found = node?.kind === "numeric" ? node.node : undefined;
    this.#parameters[index] = found;
    return found;
  }

  #variable(
    name: string,
    distribution: ExtractedDistribution,
    place: Place,
    options: ReadonlyMap<string, GivenValue>,
  ): Value {
    this.#checking.begin(place.callee);
    const named = { value: { kind: "text", value: name } as const, place: place.callee };
    const args = this.#arguments(distribution, place, options, named);
    const family = familyOf(distribution.pymc);
    if (!family) return this.#unknownFamily(distribution, place);
    return args ? variableOf(this.#checking, args, family, options.has("observed")) : unknown;
  }

  #unknownFamily(distribution: ExtractedDistribution, { callee }: Place): Value {
    const message = `Cannot use pm.${distribution.pymc}: it is not in the engine's language`;
    return this.#checking.error("unsupported/distribution", message, callee);
  }

  #arguments(
    distribution: ExtractedDistribution,
    place: Place,
    options: ReadonlyMap<string, GivenValue>,
    name?: GivenValue,
  ): Arguments | undefined {
    const given = (argument: ExtractedArgument): GivenValue => ({
      value: this.#value(argument, place),
      place: place.callee,
    });
    const positional = [...name ? [name] : [], ...distribution.args.map(given)];
    const keywords = new Map(
      Object.entries(distribution.kwargs).map(([key, one]) => [key, given(one)]),
    );
    for (const [key, option] of options) keywords.set(key, option);
    if (!options.has("observed")) keywords.set("shape", this.#shape(distribution.shape, place));
    const values = [...positional, ...keywords.values()];
    if (values.some(({ value }) => value.kind === "invalid")) return undefined;
    return { call: place.call, positional, keywords };
  }

  #shape(shape: readonly number[], { callee }: Place): GivenValue {
    const items = shape.map((extent) => this.#number(this.#checking.graph.scalar(extent), "int"));
    return { value: { kind: "sequence", form: "tuple", items }, place: callee };
  }

  #number(node: NodeId, dtype: "int" | "float"): Value {
    return { kind: "numeric", node, dtype, origin: "numpy" };
  }

  #value(argument: ExtractedArgument, place: Place): Value {
    switch (argument.kind) {
      case "none":
        return none;
      case "text":
        return { kind: "text", value: argument.value };
      case "boolean":
        return this.#number(this.#checking.graph.scalar(argument.value ? 1 : 0), "int");
      case "list":
        return {
          kind: "sequence",
          form: "list",
          items: argument.items.map((one) => this.#value(one, place)),
        };
      case "distribution":
        return this.#distribution(argument.distribution, place);
      case "node": {
        const node = this.#graph.node(argument.node);
        if (node === undefined) return unknown;
        return this.#number(node, this.#isWhole(node) ? "int" : "float");
      }
    }
  }

  #isWhole(node: NodeId): boolean {
    const { graph } = this.#checking;
    const known = graph.whileChecking(() => graph.valueOf(node));
    return known !== undefined && known.values.every(Number.isInteger);
  }

  #distribution(distribution: ExtractedDistribution, place: Place): Value {
    const family = familyOf(distribution.pymc);
    if (!family) return this.#unknownFamily(distribution, place);
    const args = this.#arguments(distribution, place, new Map());
    return args ? distributionValue(this.#checking, args, family) : unknown;
  }

  #deterministic(name: string, index: number): void {
    const node = this.#graph.node(index);
    if (node === undefined || name.endsWith("_corr") || name.endsWith("_stds")) return;
    if (declareVariable(this.#checking, name, { start: 0, end: 0 })) {
      this.#checking.deterministics.push({ name, node });
    }
  }
}

/** Where a distribution stands in the listing that messages point at. */
interface Place {
  readonly call: Arguments["call"];
  readonly callee: Expression;
}

/** One line for each distribution, so that a message can name it and its place. */
function listing({ parameters, likelihood }: Extraction): { text: string; places: Place[] } {
  let text = "";
  const places = [...parameters, likelihood].map(({ name, distribution }) => {
    text += `${name} = `;
    const start = text.length;
    text += `pm.${distribution.pymc}`;
    const callee: Expression = {
      kind: "name",
      id: `pm.${distribution.pymc}`,
      start,
      end: text.length,
    };
    text += `(...)\n`;
    const call = { kind: "call", callee, arguments: [], start, end: text.length - 1 } as const;
    return { call, callee };
  });
  return { text, places };
}
