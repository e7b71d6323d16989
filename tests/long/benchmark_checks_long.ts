/** The benchmark pipelines that CI leaves out, with an objective that is not their own. */
import { testsWithGrpo } from "../report/benchmark_checks.ts";

testsWithGrpo(["bit_sequence", "conjugate_programs", "expression", "numbers", "qm9_strings"]);
