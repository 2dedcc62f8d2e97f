import { readFileSync } from "node:fs";
import { configDefaults, defineConfig } from "vitest/config";

/** The set that runs on every change, the long sets that run on request, and the one that installs real programs from the network. */
const set = process.env["THEHOOD_TEST_SET"] ?? "default";
/** A file with the paths of the test files that scripts/test/run.ts leaves out of this run. */
const leftOutFile = process.env["THEHOOD_TEST_LEFT_OUT"];
const leftOut = leftOutFile ? (JSON.parse(readFileSync(leftOutFile, "utf8")) as string[]) : [];
/** Rooms whose tests start real programs: left to `npm test`, so that `npm run check` takes less than a minute. */
const slowRooms =
  set === "unit"
    ? [
        "src/platform/git/**",
        "src/platform/sandbox/**",
        "src/workspace/checkout/**",
        "src/workspace/checks/**",
        "src/agents/**",
      ]
    : [];
const everyChange = ["src/**/*.test.ts", "tests/**/*.test.ts"];
const include = {
  default: everyChange,
  all: everyChange,
  rest: everyChange,
  /** The same in another order: no test may need the one before it. */
  shuffled: everyChange,
  unit: ["src/**/*.test.ts", "tests/architecture.test.ts"],
  crash: ["tests/**/*.crash.ts"],
  agents: ["tests/agents/**/*.agents.ts", "tests/packaging/**/*.agents.ts"],
  projects: ["tests/**/*.projects.ts"],
  fuzz: ["src/**/*.fuzz.ts", "tests/**/*.fuzz.ts"],
}[set];
if (!include) throw new Error(`Unknown test set "${set}"`);
const exclude = [...configDefaults.exclude, "**/dist/**", "**/fixtures/**", "demo/**", ...slowRooms, ...leftOut];
/** Test files beside the sources share a process and its loaded modules; `npm run test:shuffled` gives each its own. */
const beside = include.filter((glob) => glob.startsWith("src/"));
const whole = include.filter((glob) => !glob.startsWith("src/"));
const project = (name: string, files: readonly string[], isolate: boolean) =>
  files.length === 0 ? [] : [{ extends: true as const, test: { name, include: [...files], exclude, isolate } }];

export default defineConfig({
  test: {
    projects: [...project("rooms", beside, set === "shuffled"), ...project("whole", whole, true)],
    setupFiles: ["tests/support/count-assertions.ts"],
    testTimeout: { crash: 3_600_000, fuzz: 3_600_000, projects: 1_800_000 }[set] ?? 300_000,
    // Programs that are not ours have bad moments of their own; a test of theirs is tried twice.
    retry: set === "agents" ? 1 : 0,
    hookTimeout: 120_000,
    // A condition that is polled for starts programs; on a busy machine one of them takes longer than the usual second.
    expect: { poll: { timeout: 60_000 } },
    pool: "forks",
    // Tests of whole programs wait for half of their time.
    maxWorkers: 3,
    passWithNoTests: set !== "default",
  },
});
