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
  neighbours: "other values of the arguments give one default, or change unseen",
  waived: "a check was waived",
  no_check: "no check",
  unverified: "not verified",
  other_file: "not the file that it seems to be",
  blind_tests: "tests by an agent that did not see the work",
};
