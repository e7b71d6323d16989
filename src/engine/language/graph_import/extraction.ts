/** Types of the extraction script's output; nothing of it is trusted before it is read. */

import type { ResponseTransform } from "../ir/response_transform.ts";

/** A node as the script writes it; `op` is the name of an elementwise operation or of a kind. */
export interface ExtractedNode {
  readonly op: string;
  /** Earlier nodes. */
  readonly args: readonly number[];
  readonly shape: readonly number[];
  /** Of a constant, row-major. */
  readonly values?: Float64Array;
  /** Of a gather: flat, −1 for a zero. */
  readonly index?: Int32Array;
  /** Of a parameter. */
  readonly parameter?: number;
  /** Of a reduction. */
  readonly axes?: readonly number[];
  /** Of a cumulative operation or a softmax. */
  readonly axis?: number;
  /** Of a triangular solve. */
  readonly transposed?: boolean;
}

/** An argument of a distribution, as the program gave it. */
export type ExtractedArgument =
  | { readonly kind: "node"; readonly node: number }
  | { readonly kind: "distribution"; readonly distribution: ExtractedDistribution }
  | { readonly kind: "list"; readonly items: readonly ExtractedArgument[] }
  | { readonly kind: "boolean"; readonly value: boolean }
  | { readonly kind: "text"; readonly value: string }
  | { readonly kind: "none" };

/** A distribution as the program asked PyMC for it. */
export interface ExtractedDistribution {
  /** Name of PyMC's class. */
  readonly pymc: string;
  readonly args: readonly ExtractedArgument[];
  readonly kwargs: Readonly<Record<string, ExtractedArgument>>;
  readonly shape: readonly number[];
}

/** A free random variable. */
interface ExtractedParameter {
  readonly name: string;
  readonly distribution: ExtractedDistribution;
  /** Name of PyMC's transform class; null for none. */
  readonly transform: string | null;
  readonly dims: readonly (string | null)[];
}

/** The graph of one model. */
export interface Extraction {
  readonly parameters: readonly ExtractedParameter[];
  readonly likelihood: {
    readonly name: string;
    readonly distribution: ExtractedDistribution;
    /** Observed values: the placeholder, if the program left it as it was. */
    readonly value: Float64Array;
    /** Which function of the response that is, as the host found; the response itself if absent. */
    readonly transform?: ResponseTransform;
  };
  readonly deterministics: readonly {
    readonly name: string;
    readonly node: number;
    readonly dims: readonly (string | null)[];
  }[];
  readonly nodes: readonly ExtractedNode[];
}

/** Result of reading: a model, a construct that the graph cannot hold, or a broken protocol. */
export type ExtractionResult =
  | { readonly kind: "model"; readonly extraction: Extraction }
  | { readonly kind: "unsupported"; readonly construct: string }
  | { readonly kind: "violation"; readonly what: string };
