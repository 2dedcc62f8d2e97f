// Reads from a runner's own lines which tests ran and how each ended, by name. Empty where the runner names none.
import type { Runner } from "./count.ts";

export interface NamedTests {
  readonly passed: readonly string[];
  readonly failed: readonly string[];
}

interface Line {
  readonly runners: readonly Runner[];
  readonly pattern: RegExp;
  /** From the match: the name, and whether it passed. */
  readonly read: (match: RegExpMatchArray) => readonly [name: string, ended: "passed" | "failed" | "left"];
}

const ended = (good: boolean): "passed" | "failed" => (good ? "passed" : "failed");

const lines: readonly Line[] = [
  {
    runners: ["node", "mocha", "vitest", "jest"],
    pattern: /^ *(✔|✓|√|✖|×|✗|✕) (.+?)(?: [[(]?[\d.]+ ?m?s[\])]?)?$/gm,
    read: (match) => [match[2] ?? "", ended(/[✔✓√]/.test(match[1] ?? ""))],
  },
  {
    runners: ["node"],
    pattern: /^ *(not )?ok \d+ - (.+?)( # (?:SKIP|TODO).*)?$/gm,
    read: (match) => [match[2] ?? "", match[3] ? "left" : ended(match[1] === undefined)],
  },
  {
    runners: ["cargo"],
    pattern: /^test (.+?) \.\.\. (ok|FAILED|ignored)/gm,
    read: (match) => [match[1] ?? "", match[2] === "ignored" ? "left" : ended(match[2] === "ok")],
  },
  {
    runners: ["go"],
    pattern: /^ *--- (PASS|FAIL|SKIP): (\S+)/gm,
    read: (match) => [match[2] ?? "", match[1] === "SKIP" ? "left" : ended(match[1] === "PASS")],
  },
  {
    runners: ["pytest"],
    pattern: /^(\S+::.+?) (PASSED|FAILED|ERROR|SKIPPED|XFAIL|XPASS)\b/gm,
    read: (match) => [
      match[1] ?? "",
      /SKIPPED|XFAIL/.test(match[2] ?? "") ? "left" : ended(match[2] === "PASSED" || match[2] === "XPASS"),
    ],
  },
  {
    runners: ["unittest"],
    pattern: /^(\w+ \(\S+\))(?:\n.*?)?? \.\.\. (ok|FAIL|ERROR|skipped)/gm,
    read: (match) => [match[1] ?? "", match[2] === "skipped" ? "left" : ended(match[2] === "ok")],
  },
];

/** Numbers in a name may differ from run to run: times, ports, places of files. */
export const steady = (name: string): string =>
  name
    .replaceAll(/\/\S+\//g, "/")
    .replaceAll(/\b[0-9a-f]{8,}\b|\d+(?:\.\d+)?/g, "#")
    .slice(0, 200);

export function namedTests(text: string, runners: readonly Runner[]): NamedTests {
  const passed: string[] = [];
  const failed: string[] = [];
  for (const { runners: of, pattern, read } of lines) {
    if (!runners.some((runner) => of.includes(runner))) continue;
    for (const match of text.matchAll(pattern)) {
      const [name, how] = read(match);
      if (how !== "left") (how === "passed" ? passed : failed).push(steady(name));
    }
  }
  // Node repeats failed tests at the end.
  return { passed, failed: [...new Set(failed)] };
}

/** Names of `wanted` that `had` lacks, each as often as it is missing. */
export function lacking(wanted: readonly string[], had: readonly string[]): string[] {
  const left = new Map<string, number>();
  for (const name of had) left.set(name, (left.get(name) ?? 0) + 1);
  return wanted.filter((name) => {
    const count = left.get(name) ?? 0;
    left.set(name, count - 1);
    return count <= 0;
  });
}

const verbose: Readonly<Partial<Record<Runner, readonly string[]>>> = {
  vitest: ["--reporter=verbose"],
  jest: ["--verbose"],
  pytest: ["-v"],
};

/** The command with the options that make its runner name each test; unchanged where that is not safe. */
export function namingTests(argv: readonly [string, ...string[]], script: string): readonly [string, ...string[]] {
  const [program, ...rest] = argv;
  const module = /^python[\d.]*$/.test(program) && rest[0] === "-m" ? rest[1] : undefined;
  if (module === "pytest" || module === "unittest" || module === "told_by_unittest")
    return [
      program,
      "-m",
      module,
      ...(module !== "pytest" && rest[2] === "discover"
        ? ["discover", "-v", ...rest.slice(3)]
        : ["-v", ...rest.slice(2)]),
    ];
  if (program === "pytest") return [program, "-v", ...rest];
  // Words behind a script reach its last command, so the script must be one command only.
  const line = script.slice(argv.join(" ").length).trim();
  const simple = /^(?:cross-env\s+)?(?:\w+=\S+\s+)*(?:npx\s+)?(vitest|jest|pytest)(?:\s+[\w@./=*:-]+)*$/.exec(line);
  const words =
    simple && !/--(?:reporter|verbose|json|silent)\b|\s-[vq]\b/.test(line) ? verbose[simple[1] as Runner] : undefined;
  if (!words || rest[0] !== "run" || rest.length !== 2) return argv;
  return /^(?:pnpm|yarn|bun)$/.test(program)
    ? [...argv, ...words]
    : program === "npm"
      ? [...argv, "--", ...words]
      : argv;
}
