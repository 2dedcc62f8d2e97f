// Counts blind tests by name: those that ran on the work beside the project's own, and how each ended there and on the base.

export interface EndedTests {
  readonly passed: readonly string[];
  readonly failed: readonly string[];
}

export interface BlindCount {
  readonly ran: number;
  readonly proving: number;
  readonly idle: number;
  readonly failing: readonly string[];
}

/** `own`: the project's tests without the blind ones. A name that passes and fails, as in two files, fails. */
export function countBlind(own: EndedTests, onWork: EndedTests, onBase: EndedTests): BlindCount {
  const known = new Set([...own.passed, ...own.failed]);
  const fresh = (names: readonly string[]) => [...new Set(names.filter((name) => !known.has(name)))];
  const failing = fresh(onWork.failed);
  const passed = fresh(onWork.passed).filter((name) => !failing.includes(name));
  const before = new Set(onBase.passed.filter((name) => !onBase.failed.includes(name)));
  const idle = passed.filter((name) => before.has(name)).length;
  return { ran: passed.length + failing.length, proving: passed.length - idle, idle, failing };
}
