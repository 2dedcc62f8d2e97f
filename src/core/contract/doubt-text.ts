// The kinds of a doubt of the runtime, one row each, as plain data without the schema library.

interface DoubtRow {
  /** What it means, for people. */
  readonly label: string;
  /** What follows from it, for the person who decides. */
  readonly consequence: string;
  /** The runtime found that something is wrong; by the others it could not measure, or not enough. */
  readonly fault: boolean;
  /** By default it is a question before the work is integrated; the others are named in the report and in the end of the run. */
  readonly asks: boolean;
}

const rows = {
  unreached: {
    label: "no check notices when this is broken",
    consequence: "a mistake there passes all checks",
    fault: false,
    asks: true,
  },
  untried: {
    label: "not measured",
    consequence: "it is unknown whether the checks notice a mistake there",
    fault: false,
    asks: false,
  },
  known_values: {
    label: "holds the values of the tests",
    consequence: "it may be right for the tested values only",
    fault: true,
    asks: true,
  },
  unnoticed_failure: {
    label: "a planted failure goes unnoticed",
    consequence: "this can fail while the checks stay green",
    fault: true,
    asks: true,
  },
  unsteady: {
    label: "passes one time and fails another",
    consequence: "one green result proves little",
    fault: false,
    asks: true,
  },
  surroundings: {
    label: "depends on what checks cannot vary",
    consequence: "it may fail on another computer or another day",
    fault: false,
    asks: true,
  },
  invisible: {
    label: "characters that cannot be seen",
    consequence: "the code may do something else than you read",
    fault: true,
    asks: true,
  },
  lookalike: {
    label: "letters that look alike",
    consequence: "a name may not be the one that you read",
    fault: true,
    asks: true,
  },
  binary: {
    label: "cannot be read",
    consequence: "nobody has read what it does",
    fault: false,
    asks: true,
  },
  unread: {
    label: "not read by the verifier",
    consequence: "the yes of the verifier does not cover it",
    fault: false,
    asks: true,
  },
  scope: {
    label: "checks that were not run",
    consequence: "what they test is not proven",
    fault: false,
    asks: true,
  },
  replay: {
    label: "another result outside of the tests",
    consequence: "it may behave differently in real use",
    fault: true,
    asks: true,
  },
  neighbours: {
    label: "results for inputs that no test uses",
    consequence: "other inputs may give wrong results",
    fault: true,
    asks: true,
  },
  waived: {
    label: "a check was waived",
    consequence: "what it tests is not proven",
    fault: false,
    asks: false,
  },
  no_check: {
    label: "no check",
    consequence: "nothing proves that it works",
    fault: false,
    asks: false,
  },
  unverified: {
    label: "not verified",
    consequence: "no second agent has confirmed it",
    fault: false,
    asks: false,
  },
  blind_tests: {
    label: "tests by an agent that did not see the work",
    consequence: "it may not do what the goal asks",
    fault: true,
    asks: true,
  },
  other_file: {
    label: "not the file that it seems to be",
    consequence: "the change may reach another file than you read",
    fault: true,
    asks: true,
  },
} as const satisfies Readonly<Record<string, DoubtRow>>;

export type DoubtKind = keyof typeof rows;

export const doubtKinds = Object.keys(rows) as [DoubtKind, ...DoubtKind[]];

const column = <K extends keyof DoubtRow>(name: K) =>
  Object.fromEntries(doubtKinds.map((kind) => [kind, rows[kind][name]])) as Readonly<Record<DoubtKind, DoubtRow[K]>>;

export const doubtLabels = column("label");
export const doubtConsequences = column("consequence");
export const findsFault = (kind: DoubtKind): boolean => rows[kind].fault;
export const asksByDefault = (kind: DoubtKind): boolean => rows[kind].asks;
