// The runs that stand behind the pictures: one that ended, two that wait, in two repositories.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";

const root = resolve(import.meta.dirname, "../..");

export interface Scene {
  readonly repo: string;
  /** Name, address in the page, and the text that tells that it is there. */
  readonly views: readonly (readonly [string, string, string | RegExp])[];
}

type Program = (cwd: string, ...args: string[]) => string;
interface Told {
  readonly runId: string;
  readonly gate?: { readonly sha256: string; readonly phrase: string | null } | null;
}

const crew = ["planner", "orchestrator", "implementer", "qa", "verifier", "critic"].flatMap((role) => [
  `--${role}`,
  `stub:${role}`,
]);

export function scenes(home: string, thehood: Program): Scene {
  const repo = join(home, "durations");
  const other = join(home, "billing");
  thehood(home, "demo", "--dir", repo);
  thehood(home, "demo", "--dir", other);
  const script = readFileSync(join(root, "demo/script.json"), "utf8");
  const start = (at: string, goal: string): Told =>
    JSON.parse(thehood(at, "run", goal, ...crew, "--stub-script", script, "--json")) as Told;
  const status = (at: string, id: string): Told => JSON.parse(thehood(at, "status", id, "--json")) as Told;
  const approve = (at: string, id: string): void => {
    const { gate } = status(at, id);
    thehood(at, "approve", id, "--shown", gate?.sha256 ?? "", "--message", gate?.phrase ?? "", "--json");
  };
  const ended = (JSON.parse(thehood(repo, "runs", "--json")) as { runs: { runId: string }[] }).runs[0]?.runId ?? "";
  // The start of a run shows its crew.
  thehood(repo, "teams", "apply", "stub");
  thehood(repo, "exec", "--", "true");
  start(other, "Round invoices to whole cents in every currency");
  // The work of the run that ended is taken out again, so that another run has something to do.
  spawnSync("git", ["checkout", "-q", "--", "."], { cwd: repo });
  const { runId } = start(repo, "Let minutes() read hours, and refuse everything else");
  approve(repo, runId);
  const of = new URLSearchParams({ repo, id: ended });
  const waiting = new URLSearchParams({ repo, id: runId });
  return {
    repo,
    views: [
      ["home", "#/", "Needs you"],
      ["run", `#/run?${of}`, "The whole report"],
      ["evidence", `#/run?${of}&at=12`, "Event 12"],
      ["gate", `#/gate?${waiting}`, "Everything that your approval covers"],
      ["diff", `#/diff?${of}`, "src/duration.js"],
      ["start", "#/start", "stays on this machine"],
      ["judges", "#/judges", "A shell line"],
    ],
  };
}
