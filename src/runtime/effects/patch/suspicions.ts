// Work that knows how it will be judged. Running the checks cannot show it: code that detects a test run, ends
// the process before a verdict, or lays hands on the runner passes them. So the added lines are looked at, by patterns
// that ordinary source has no reason to hold, and a person decides.
import { classifyPath, type Section } from "../../../core/patch/index.ts";
import { assembledName, unescaped } from "./assembled.ts";
import { unclearText } from "./eyes.ts";

export interface Suspicion {
  readonly reason:
    | "knows_the_test"
    | "alters_the_runner"
    | "takes_types_away"
    | "ends_the_process"
    | "binary_source"
    | "invisible_characters"
    | "lookalike_letters";
  readonly path: string;
  readonly message: string;
}

const strong: readonly (readonly [Suspicion["reason"], RegExp, string])[] = [
  [
    "knows_the_test",
    /\b(?:NODE_TEST_CONTEXT|PYTEST_CURRENT_TEST|PYTEST_VERSION|JEST_WORKER_ID|VITEST_WORKER_ID|VITEST_POOL_ID|RUST_TEST_THREADS)\b|\b(?:env\.|env\[["'])VITEST\b|["']_?pytest["'] in sys\.modules|sys\.modules.{0,20}["']_?pytest\b/,
    "asks whether a test is running",
  ],
  [
    "knows_the_test",
    /\bcfg!\s*\(\s*(?:not\s*\(\s*)?test\b|#\[cfg\(not\(test\)\)\]|\bflag\.Lookup\(\s*["`]test\.|\btesting\.Testing\(\)|\bnpm_lifecycle_(?:event|script)\b|\bNODE_ENV\b.{0,20}["'`]test["'`]|["'`]test["'`].{0,20}\bNODE_ENV\b|["']unittest["'] in sys\.modules|sys\.modules.{0,20}["'](?:unittest|nose)/,
    "asks whether a test is running",
  ],
  ["knows_the_test", /\/proc\/.*\b(?:cmdline|environ|comm)\b/, "reads by whom it or another process was started"],
  [
    "knows_the_test",
    /\bcfg!?\s*\(\s*(?:not\s*\(\s*)?debug_assertions\b|^\s*if\s+(?:not\s+)?__debug__\b/,
    "holds other code for a release than for a test",
  ],
  [
    "knows_the_test",
    /^\/\/(?:go:build| \+build)\b.*!(?!(?:aix|android|darwin|dragonfly|freebsd|illumos|ios|js|linux|netbsd|openbsd|plan9|solaris|unix|wasip1|windows|zos|386|amd64|arm|arm64|loong64|mips\w*|ppc\w*|riscv64|s390x|wasm|cgo|race|msan|asan|purego|appengine|gc|gccgo|go1)\b)\w+/,
    "is left out of a build with a tag that no check sets, so that other code takes its place there",
  ],
  [
    "alters_the_runner",
    /["'](?:node:test(?:\/\w+)?|_pytest(?:\.\w+)*|pytest|vitest|@jest\/globals|mocha|jest-circus|@playwright\/test)["']|^\s*(?:import|from)\s+_?pytest\b|\bassert(?:\.\w+)+\s*=(?![=>])|\bimportlib\.import_module\(["']_?pytest/,
    "reaches for the test runner or its assertions",
  ],
  [
    "ends_the_process",
    /\bos\._exit\s*\(|\bprocess\.(?:reallyExit|abort)\b|\bprocess\.exitCode\s*=\s*0\b|\bprocess\.kill\s*\(\s*process\.pid\b/,
    "ends the process past everything that would still have its say",
  ],
];

const weak: readonly (readonly [string, RegExp])[] = [
  [
    "exits",
    /\bprocess\.exit\s*\(\s*0?\s*\)|\bsys\.exit\s*\(\s*0?\s*\)|\bprocess::exit\(0\)|\bos\.Exit\(0\)|\bSystem\.exit\(0\)/,
  ],
  [
    "silences",
    /@ts-(?:nocheck|ignore|expect-error)|\b(?:eslint|oxlint|stylelint)-disable|biome-ignore|#\s*(?:type:\s*ignore|noqa|nosec|pylint:\s*disable)|@SuppressWarnings|\/\/\s*nolint\b|#!?\[allow\(/,
  ],
];

/** How a program sees what started it, and names that only tests have. With both in one file, however far apart, the
 * file can detect a test run. */
const looks =
  /\bprocess\.(?:argv|execArgv|mainModule|title)\b|\brequire\.(?:main|cache)\b|\bmodule\.parent\b|(?<!this)\.stack\b(?!\s*(?:=[^=]|\[|\.(?:push|pop|length|at|slice)\b))|\bcaptureStackTrace\b|\bsys\.(?:argv|modules|_getframe)\b|\binspect\.(?:stack|currentframe)\b|\bos\.Args\b|\benv::args\b|\bcurrent_exe\b|\bos\.Executable\b|\bruntime\.Callers?\b/;
const testWords =
  /["'`/.](?:[\w./*-]*[._/-])?(?:tests?|specs?|unittest|pytest|jest|vitest|mocha|testing|__tests__|deps)(?:[._/-][\w./*-]*)?["'`/]|_test\b["'`]|\.(?:test|spec)\\?\./;

function asksForTest(lines: readonly string[]): string | undefined {
  if (!lines.some((line) => testWords.test(line))) return undefined;
  return lines.find((line) => looks.test(line));
}

function assembledIn(path: string, lines: readonly string[]): Suspicion[] {
  const name = lines.map(assembledName).find((one) => one !== undefined);
  if (name === undefined) return [];
  const message = `${path} puts the name ${name} together from parts, so that a search does not find it.`;
  return [{ reason: "knows_the_test", path, message }];
}

/** A declaration that replaces a removed source: no compiler checks the code against it. */
function declaredInstead(sections: readonly Section[]): Suspicion[] {
  const stem = (path: string) => path.replace(/(?:\.d)?\.[cm]?tsx?$|\.[cm]?jsx?$/, "");
  const gone = new Set(
    sections.flatMap(({ oldPath, newPath }) => (oldPath !== null && oldPath !== newPath ? [stem(oldPath)] : [])),
  );
  return sections.flatMap(({ oldPath, newPath }) =>
    newPath !== null && oldPath !== newPath && /\.d\.[cm]?ts$/.test(newPath) && gone.has(stem(newPath))
      ? [
          {
            reason: "takes_types_away" as const,
            path: newPath,
            message: `${newPath} is a declaration in the place of the source that is removed: its types are checked against nothing.`,
          },
        ]
      : [],
  );
}

/** Names of files that people read as text. */
const textNames =
  /\.(?:[cm]?[jt]sx?|py|pyi|go|rs|java|kts?|rb|php|c|h|cc|cpp|hpp|cs|swift|scala|sh|bash|ps1|sql|json|ya?ml|toml|html?|css|scss|vue|svelte|md|txt)$/i;

/** Names of files that a loader or a machine runs, and that nobody can read. */
const codeNames = /\.(?:node|wasm|so(?:\.[\d.]+)?|dll|dylib|exe|o|a|lib|py[cdo]|class|jar|war|phar|beam|elc|luac)$/i;

function unreadable(path: string): Suspicion[] {
  const why = textNames.test(path)
    ? "is binary by its content, although its name says text: a reviewer cannot read this change."
    : codeNames.test(path)
      ? "is compiled code: a reviewer cannot read this change, whether or not a check loads it."
      : null;
  return why === null ? [] : [{ reason: "binary_source", path, message: `${path} ${why}` }];
}

/** Test files are skipped: such code is usual there, and changing a test needs its own approval. */
export function suspicionsOf(sections: readonly Section[]): { found: Suspicion[]; signals: string[] } {
  const found: Suspicion[] = declaredInstead(sections);
  const signals = new Set<string>();
  for (const section of sections) {
    const path = section.newPath;
    if (path === null || classifyPath(path).protected || classifyPath(path).kinds.includes("docs")) continue;
    if (section.body.kind !== "hunks" && section.body.kind !== "none") found.push(...unreadable(path));
    const written = addedLines(section).flatMap(inPieces);
    const lines = written.map(unescaped);
    for (const one of unclearText(path, written, hunkLines(section))) found.push({ ...one, path });
    found.push(...assembledIn(path, lines));
    for (const [reason, pattern, what] of strong)
      if (lines.some((line) => pattern.test(line))) found.push({ reason, path, message: `${path} ${what}.` });
    const asking = asksForTest(lines);
    if (asking !== undefined && !found.some((one) => one.path === path && one.reason === "knows_the_test"))
      found.push({
        reason: "knows_the_test",
        path,
        message: `${path} asks whether a test is running: ${asking.trim().slice(0, 120)}`,
      });
    for (const [sign, pattern] of weak) if (lines.some((line) => pattern.test(line))) signals.add(sign);
  }
  return { found, signals: [...signals] };
}

const longLine = 2_000;
const [piece, overlap] = [600, 200];

/** A very long line in pieces that overlap: patterns take far longer on one long text than on many short ones. */
function inPieces(line: string): string[] {
  if (line.length <= longLine) return [line];
  const step = piece - overlap;
  return Array.from({ length: Math.ceil(line.length / step) }, (_, at) => line.slice(at * step, at * step + piece));
}

const addedLines = (section: Section): string[] => linesOf(section, /^\+/);
const hunkLines = (section: Section): string[] => linesOf(section, /^[ +]/);

function linesOf({ body }: Section, which: RegExp): string[] {
  if (body.kind !== "hunks") return [];
  return body.hunks.flatMap((hunk) =>
    hunk.body
      .split("\n")
      .filter((line) => which.test(line))
      .map((line) => line.slice(1)),
  );
}
