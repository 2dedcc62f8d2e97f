import { defineConfig } from "vitest/config";

/** The set that runs on every change, the long sets that run on request, and the one that installs real programs from the network. */
const set = process.env["THEHOOD_TEST_SET"] ?? "default";
/** Rooms whose tests start real programs: left to `npm test`, so that `npm run check` stays a matter of seconds. */
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
  /** The same in another order: no test may need the one before it. */
  shuffled: everyChange,
  unit: ["src/**/*.test.ts", "tests/architecture.test.ts"],
  crash: ["tests/**/*.crash.ts"],
  agents: ["tests/agents/**/*.agents.ts", "tests/packaging/**/*.agents.ts"],
  projects: ["tests/**/*.projects.ts"],
  fuzz: ["src/**/*.fuzz.ts", "tests/**/*.fuzz.ts"],
}[set];
if (!include) throw new Error(`Unknown test set "${set}"`);

export default defineConfig({
  test: {
    include,
    setupFiles: ["tests/support/count-assertions.ts"],
    exclude: ["**/node_modules/**", "**/dist/**", "**/fixtures/**", "demo/**", ...slowRooms],
    testTimeout: { crash: 3_600_000, fuzz: 3_600_000, projects: 1_800_000 }[set] ?? 300_000,
    // Programs that are not ours have bad moments of their own; a test of theirs is tried twice.
    retry: set === "agents" ? 1 : 0,
    hookTimeout: 120_000,
    // A condition that is polled for starts programs; on a busy machine one of them takes longer than the usual second.
    expect: { poll: { timeout: 60_000 } },
    pool: "forks",
    maxWorkers: 2,
    passWithNoTests: set !== "default",
  },
});
