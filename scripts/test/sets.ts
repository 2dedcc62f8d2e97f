// Which test files `npm test` runs. Most run on each change. A wing with costly tests runs when a file of that wing changed;
// otherwise only its smoke tests run. `npm run test:all` runs everything. Pure: given the paths.

export interface Wing {
  readonly name: string;
  /** Its test files: by the start of their paths, or by the end where it starts with a dot. */
  readonly tests: readonly string[];
  /** The files beside its tests that it depends on most: a change of one of them runs the wing. */
  readonly sources: readonly string[];
  /** Test files that run on each change in any case. */
  readonly smoke: readonly string[];
}

export const wings: readonly Wing[] = [
  {
    name: "browser",
    tests: ["tests/browser/", "tests/sites-public/"],
    sources: ["src/oracle/browser/", "src/agents/web/", "tests/sites/"],
    smoke: ["tests/browser/random.test.ts"],
  },
  {
    name: "web",
    tests: ["tests/web/"],
    sources: ["src/surfaces/page/", "src/surfaces/web/"],
    smoke: ["tests/web/record.test.ts"],
  },
  {
    name: "many",
    tests: ["tests/many/", "tests/store/postgres"],
    sources: ["src/fleet/", "src/platform/store/", "tests/store/"],
    smoke: ["tests/many/sessions.test.ts"],
  },
  {
    name: "gateway",
    tests: ["tests/gateway/"],
    sources: ["src/gateway/", "src/agents/sandbox/"],
    smoke: ["corpus", "door", "rules", "store"].map((name) => `tests/gateway/${name}.test.ts`),
  },
  {
    name: "secrets",
    tests: ["tests/secrets/"],
    sources: [
      "src/core/secrets/",
      "src/operations/perform.ts",
      "src/operations/secrets-in-input.ts",
      "src/surfaces/argv/",
      "src/surfaces/mcp/tools/",
    ],
    smoke: ["tests/secrets/every-field.test.ts"],
  },
  {
    name: "oracle",
    tests: ["tests/oracle/"],
    sources: [
      "src/oracle/",
      "src/operations/oracle/",
      "src/surfaces/oracle-cli/",
      "src/agents/api/",
      "src/core/patch/",
    ],
    smoke: ["answers", "cli", "docs", "git-commit", "git-refused", "git", "outcomes", "truth"].map(
      (name) => `tests/oracle/${name}.test.ts`,
    ),
  },
  {
    name: "mcp",
    tests: ["tests/mcp/"],
    sources: ["src/surfaces/mcp/", "src/surfaces/host-config/", "src/platform/http/"],
    smoke: ["approve", "config", "package", "tools", "views"].map((name) => `tests/mcp/${name}.test.ts`),
  },
  {
    name: "cli",
    tests: ["tests/cli/"],
    sources: ["src/surfaces/cli/", "src/surfaces/argv/", "src/app/", "src/operations/"],
    smoke: [
      "activity",
      "after-a-crash",
      "bad-input",
      "check",
      "completion",
      "crew",
      "doctor-teams",
      "ended",
      "exec",
      "exit-codes",
      "fan-out",
      "few-words",
      "launch",
      "names",
      "run",
      "start",
    ].map((name) => `tests/cli/${name}.test.ts`),
  },
  {
    name: "terminal",
    tests: ["tests/terminal/"],
    sources: ["src/surfaces/terminal/"],
    smoke: ["tests/terminal/run.test.ts"],
  },
  {
    name: "packaging",
    tests: ["tests/packaging/"],
    sources: ["scripts/", "bin/", ".ci/", "bench/", "package.json", "package-lock.json", "tsconfig"],
    smoke: ["bundle", "sets", "start"].map((name) => `tests/packaging/${name}.test.ts`),
  },
  {
    name: "scenarios",
    tests: ["tests/scenarios/"],
    sources: [
      "src/runtime/",
      "src/core/machine/",
      "src/core/crew/",
      "src/workspace/",
      "src/agents/",
      "src/platform/sandbox/",
    ],
    smoke: ["acceptance", "agent-writes", "happy-path", "liars", "patch", "sabotage"].map(
      (name) => `tests/scenarios/${name}.test.ts`,
    ),
  },
  {
    name: "crash",
    tests: ["tests/crash/", "tests/canary/", "tests/evidence/"],
    sources: [
      "src/platform/",
      "src/workspace/checkout/",
      "src/workspace/evidence/",
      "src/runtime/",
      "src/core/machine/",
      "src/core/secrets/",
    ],
    smoke: ["crash/apply", "crash/power", "evidence/commits"].map((name) => `tests/${name}.test.ts`),
  },
  { name: "long", tests: [".long.test.ts"], sources: [], smoke: [] },
];

const isTestOf = (path: string, { tests }: Wing): boolean =>
  tests.some((part) => (part.startsWith(".") ? path.endsWith(part) : path.startsWith(part)));

/** The wings that none of the changed files belongs to. Without a list of changes every wing runs. */
export function wingsLeftOut(changed: readonly string[] | undefined): readonly Wing[] {
  if (!changed) return [];
  return wings.filter(
    (wing) => !changed.some((path) => isTestOf(path, wing) || wing.sources.some((source) => path.startsWith(source))),
  );
}

/** The test files of these wings without their smoke tests. */
export const filesLeftOut = (files: readonly string[], left: readonly Wing[]): string[] =>
  files.filter((file) => left.some((wing) => isTestOf(file, wing) && !wing.smoke.includes(file)));
