/** Frames between the process that has the network and the one that reads the runs. */

/** First frame to the process with the network. */
export interface WatchSetup {
  /** First part of every path: without it nothing is answered. */
  readonly token: string;
  /** Port on 127.0.0.1; 0 for any that is free. */
  readonly port: number;
  /** Document that a browser loads first; it asks for the rest. */
  readonly page: string;
  /** Content security policy of that document. */
  readonly policy: string;
  /** Milliseconds between two looks. */
  readonly every: number;
}

/** A look of a page at a run, or at none. */
export interface WatchRequest {
  readonly id: number;
  /** Unchecked: the page has it in its address. */
  readonly run: string;
}

/** Parts of the page as HTML. */
export interface WatchView {
  readonly overview: string;
  readonly run: string;
}
