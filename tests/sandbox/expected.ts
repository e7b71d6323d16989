/** Exceptions among attacks to the rule: open without layers, stopped with them. */

/** Configurations that attacks run in. */
export const configurations = ["none", "L1", "L2", "L3"] as const;
/** Name of one. */
export type Configuration = (typeof configurations)[number];

/** How one attack deviates from the rule. */
export interface Exception {
  /** Configurations in which it is open although they have layers. */
  readonly openAt?: readonly Configuration[];
  /** Configurations in which it stays without effect although no layer is there. */
  readonly hostDependent?: boolean;
  /** Needs the privileges of root to be open without layers. */
  readonly root?: boolean;
  readonly why: string;
}

const administrator = "only the administrator can do it at all";
const languageOnly = "a matter of Deno's flags; code of its own can do no more than the program";

/** By the attack's id. */
export const exceptions: Readonly<Record<string, Exception>> = {
  "FR-02": { root: true, why: administrator },
  "FR-08": { openAt: ["L2"], why: "Landlock does not hide whether a file exists" },
  "EN-02": { hostDependent: true, why: "not every host shows it, not even to root" },
  "EN-07": { openAt: ["L2"], why: "without namespaces there is one name" },
  "EN-10": { openAt: ["L2"], why: "without namespaces there is one name" },
  "NW-09b": { hostDependent: true, why: "kernels differ in whether they have it" },
  "PX-05": { openAt: ["L2"], why: "threads are bounded by memory, not counted" },
  "FW-02": { root: true, why: administrator },
  "FW-16": { root: true, why: administrator },
  "RS-26": { hostDependent: true, why: "hosts differ in how many timers a user may have" },
  "PT-06": { root: true, why: administrator },
  "PT-07": { root: true, why: administrator },
  "PT-10": { root: true, why: administrator },
  "PT-11": { root: true, why: administrator },
  "NW-09c": { root: true, why: administrator },
  "PX-10h": { root: true, why: administrator },
  "PX-12a": { root: true, why: administrator },
  "PX-13": { hostDependent: true, why: "hard limits can be raised by the administrator only" },
  "PX-17": { root: true, why: administrator },
  "KX-01b": { hostDependent: true, why: "not every host shows them, not even to root" },
  "KX-01c": { root: true, why: administrator },
  "KX-02a": { root: true, why: administrator },
  "KX-02b": { hostDependent: true, why: "kernels differ in who may measure" },
  "KX-02c": { hostDependent: true, why: "kernels differ in who may handle page faults" },
  "KX-05a": { root: true, why: administrator },
  "KX-05b": { root: true, why: administrator },
  "KX-05c": { root: true, why: administrator },
  "KX-11": { hostDependent: true, why: "the time that is asked for is no time" },
  "KX-12": { root: true, why: administrator },
  "KX-13": { hostDependent: true, why: "kernels differ in whether they have it" },
  "JF-05": { openAt: ["L2"], why: "Landlock does not hide whether a file exists" },
  "JS-04": { openAt: ["L1"], why: "Deno does not ask for permission for a static import" },
  "JS-05a": { openAt: ["L2", "L3"], why: languageOnly },
  "JS-05b": { openAt: ["L2", "L3"], why: languageOnly },
  "JS-15": { openAt: ["L2", "L3"], why: languageOnly },
  "RS-21a": { openAt: ["L1"], why: "V8's flags bound its heap, not array buffers" },
  "RS-21b": { openAt: ["L1"], why: "V8's flags bound its heap, not WebAssembly" },
};
