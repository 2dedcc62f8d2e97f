// The kinds of a doubt with their labels, as plain data without the schema library.

/** The kinds of a doubt of the runtime. */
export const doubtKinds = [
  "unreached",
  "untried",
  "known_values",
  "unnoticed_failure",
  "unsteady",
  "surroundings",
  "invisible",
  "lookalike",
  "binary",
  "unread",
  "scope",
  "replay",
  "neighbours",
  "waived",
  "no_check",
  "unverified",
  "blind_tests",
  "other_file",
] as const;

export type DoubtKind = (typeof doubtKinds)[number];

/** Kinds by which the runtime found that something is wrong; by the others it could not measure, or not enough. */
export const findsFault = (kind: DoubtKind): boolean =>
  [
    "known_values",
    "unnoticed_failure",
    "invisible",
    "lookalike",
    "replay",
    "neighbours",
    "blind_tests",
    "other_file",
  ].includes(kind);

/** What each kind means, for people. */
export const doubtLabels: Readonly<Record<DoubtKind, string>> = {
  unreached: "no check notices when this is broken",
  untried: "not measured",
  known_values: "holds the values of the tests",
  unnoticed_failure: "a planted failure goes unnoticed",
  unsteady: "passes one time and fails another",
  surroundings: "depends on what checks cannot vary",
  invisible: "characters that cannot be seen",
  lookalike: "letters that look alike",
  binary: "cannot be read",
  unread: "not read by the verifier",
  scope: "checks that were not run",
  replay: "another result outside of the tests",
  neighbours: "results for inputs that no test uses",
  waived: "a check was waived",
  no_check: "no check",
  unverified: "not verified",
  other_file: "not the file that it seems to be",
  blind_tests: "tests by an agent that did not see the work",
};

/** What follows from each kind, for the person who decides. */
export const doubtConsequences: Readonly<Record<DoubtKind, string>> = {
  unreached: "a mistake there passes all checks",
  untried: "it is unknown whether the checks notice a mistake there",
  known_values: "it may be right for the tested values only",
  unnoticed_failure: "this can fail while the checks stay green",
  unsteady: "one green result proves little",
  surroundings: "it may fail on another computer or another day",
  invisible: "the code may do something else than you read",
  lookalike: "a name may not be the one that you read",
  binary: "nobody has read what it does",
  unread: "the yes of the verifier does not cover it",
  scope: "what they test is not proven",
  replay: "it may behave differently in real use",
  neighbours: "other inputs may give wrong results",
  waived: "what it tests is not proven",
  no_check: "nothing proves that it works",
  unverified: "no second agent has confirmed it",
  other_file: "the change may reach another file than you read",
  blind_tests: "it may not do what the goal asks",
};
