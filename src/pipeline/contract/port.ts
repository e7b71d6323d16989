/** Ports: types of values that flow between stages, and codecs to artifacts and back. */

/** Context of a codec that decodes bytes into a live value. */
export interface DecodeContext {
  /** Modules that the pipeline names by path (judges, objectives), keyed by absolute path. */
  readonly plugins: ReadonlyMap<string, unknown>;
  /** Tensor backend asked for by the stage, if any. */
  readonly backend?: string;
  /** Asks a service that port types name in `asks`; left out where nothing runs. */
  readonly ask?: (service: string, request: Readonly<Record<string, unknown>>) => Promise<unknown>;
}

/** The type of a port: its name is what wiring compares; the codec makes artifacts. */
export interface PortType<T> {
  /** Name that wiring compares. */
  readonly name: string;
  /** True of values that flow between the stages of a loop, and are never artifacts. */
  readonly live?: true;
  /** A service that live values may ask, if the run has it. */
  readonly asks?: string;
  /** Same value, same bytes. */
  encode(value: T): Promise<Uint8Array>;
  /** The live value in the bytes of an artifact. */
  decode(bytes: Uint8Array, context: DecodeContext): Promise<T>;
  /** A copy that stays unchanged while the value is changed; by its bytes if left out. */
  copy?(value: T): Promise<T>;
  /** Frees what a copy holds. */
  release?(value: T): void;
}

/** A port of a stage kind. */
export interface Port<T> {
  /** Type of the values that flow through it. */
  readonly type: PortType<T>;
  /** One sentence for help and the schema. */
  readonly description: string;
  /** True if an input may be left unwired. */
  readonly optional?: boolean;
}

/** Ports by name. */
export type Ports = Readonly<Record<string, Port<unknown>>>;

/** The live values of a set of ports. */
export type PortValues<P extends Ports> =
  & { readonly [K in keyof P as P[K] extends { optional: true } ? never : K]: ValueOf<P[K]> }
  & { readonly [K in keyof P as P[K] extends { optional: true } ? K : never]?: ValueOf<P[K]> };

/** The live value of one port. */
export type ValueOf<P> = P extends { type: PortType<infer T> } ? T : never;
