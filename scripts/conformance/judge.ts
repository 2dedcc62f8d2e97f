// Which clauses are proven. Pure: given the clauses, the titles in the sources and the recorded results.
import { posix } from "node:path";
import type { RanTest } from "../test/record.ts";

export interface Clause {
  readonly id: string;
  readonly planned: boolean;
  readonly words: string;
}

/** A title that stands in a source file, whether its test ever ran or not. */
export interface NamedTest {
  readonly file: string;
  readonly title: string;
}

export interface Row extends Clause {
  /** `double`: proven, but only by tests in which a double stands for a foreign part. */
  readonly state: "proven" | "double" | "failing" | "unproven" | "planned";
  /** Why a clause is unproven. */
  readonly reason?: string;
  readonly tests: readonly RanTest[];
}

const clausePattern = /^- \*\*([A-Z]-\d+)\*\* (\(planned\) )?(.*)$/gm;
const idsPattern = /\[((?:[A-Z]-\d+(?:,\s*)?)+)\]/g;

export const readClauses = (text: string): Clause[] =>
  [...text.matchAll(clausePattern)].map(([, id = "", planned, words = ""]) => ({
    id,
    planned: planned !== undefined,
    words,
  }));

/** The clauses that a title names: "[R-1, R-2] …". */
export const idsOf = (title: string): string[] =>
  [...title.matchAll(idsPattern)].flatMap(([, ids = ""]) => ids.split(/,\s*/).filter(Boolean));

function reasonOf(tests: readonly RanTest[], named: boolean): string {
  if (tests.length === 0) return named ? "its tests did not run in a recorded run of these files" : "no test names it";
  if (tests.every(({ outcome }) => outcome === "skipped")) return "its tests were skipped";
  return "its tests assert nothing or were skipped";
}

/** A file that lets a scripted page, a stand-in of a web site or of a model's server, or an injected engine stand for a
 * foreign part says so by these names. */
export const usesDouble = (source: string): boolean =>
  /(?<!fc)\.double\(|\/(?:scripted-page|scripted-program|cutting-proxy|api-server|sites\/server|acp\/scene)\.ts"|support\/agent\.cjs"/.test(
    source,
  );

/** The test files with a double, by their own words or by a file that they import. Pure: given the text of each file. */
export function withDouble(texts: ReadonlyMap<string, string>): Set<string> {
  const marked = new Set([...texts].filter(([, text]) => usesDouble(text)).map(([file]) => file));
  for (let before = -1; before < marked.size;) {
    before = marked.size;
    for (const [file, text] of texts)
      if (importsOf(file, text).some((imported) => marked.has(imported))) marked.add(file);
  }
  return marked;
}

const importPattern = /^(?:import|export)\b(?! type)[^;]*?\bfrom "(\.[^"]+)"/gm;

const importsOf = (file: string, text: string): string[] =>
  [...text.matchAll(importPattern)].map(([, to = ""]) => posix.join(posix.dirname(file), to));

function judge(clause: Clause, tests: readonly RanTest[], named: boolean, doubles: ReadonlySet<string>): Row {
  if (tests.some(({ outcome }) => outcome === "failed")) return { ...clause, state: "failing", tests };
  if (clause.planned) return { ...clause, state: "planned", tests };
  const passed = tests.filter(({ outcome }) => outcome === "passed");
  if (passed.length > 0) {
    const real = passed.some(({ file }) => !doubles.has(file));
    return { ...clause, state: real ? "proven" : "double", tests };
  }
  return { ...clause, state: "unproven", reason: reasonOf(tests, named), tests };
}

export function judgeClauses(
  clauses: readonly Clause[],
  named: readonly NamedTest[],
  ran: readonly RanTest[],
  /** Test files in which a double stands for a foreign part. */
  doubles: ReadonlySet<string> = new Set(),
  /** Test files that could not be loaded: each test in them counts as failed. */
  broken: readonly string[] = [],
): { rows: Row[]; unknown: string[] } {
  const lost = named
    .filter(({ file }) => broken.includes(file))
    .map((test): RanTest => ({ ...test, outcome: "failed" }));
  const inSources = new Set(named.flatMap(({ title }) => idsOf(title)));
  const byId = Map.groupBy(
    [...ran, ...lost].flatMap((test) => idsOf(test.title).map((id) => ({ id, test }))),
    ({ id }) => id,
  );
  const rows = clauses.map((clause) => {
    const tests = (byId.get(clause.id) ?? []).map(({ test }) => test);
    return judge(clause, tests, inSources.has(clause.id), doubles);
  });
  const known = new Set(clauses.map(({ id }) => id));
  const unknown = [...new Set([...inSources, ...byId.keys()])].filter((id) => !known.has(id));
  return { rows, unknown };
}
