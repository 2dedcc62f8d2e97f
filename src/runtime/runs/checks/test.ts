// Runs the checks of a repository on its last commit, as a run would, outside of any run.
import { rmSync } from "node:fs";
import { fail, failingLines } from "../../../core/contract/index.ts";
import { runCheck } from "../../../workspace/checks/index.ts";
import type { RepositoryLocation } from "../../../platform/git/index.ts";
import type { TestedCheck, TestOptions } from "../../../operations/index.ts";
import { redact } from "../../../core/secrets/index.ts";
import { scratchRoot } from "../../effects/index.ts";
import type { RunsDeps } from "../deps.ts";
import { findChecks } from "./look.ts";

export async function testChecks(
  place: RepositoryLocation,
  host: RunsDeps,
  { ids, signal, tell }: TestOptions,
): Promise<readonly TestedCheck[]> {
  const { repository, head, plan } = await findChecks(place, host);
  const unknown = ids.find((id) => !plan.checks.some((check) => check.id === id));
  if (unknown !== undefined)
    fail("not_found", `There is no check "${unknown.slice(0, 100)}".`, {
      remedy: `Known: ${plan.checks.map(({ id }) => id).join(", ") || "none"}. List them: thehood checks`,
    });
  const secrets = await host.secrets();
  const folder = scratchRoot(host.scratchFolders, repository.top, `checks-${process.pid}`);
  const tested: TestedCheck[] = [];
  try {
    for (const spec of plan.checks.filter(({ id }) => ids.length === 0 || ids.includes(id))) {
      if (signal.aborted) break;
      tell(`${spec.id}: ${spec.argv.join(" ")}`);
      const run = {
        repository,
        runner: host.commands,
        scratchRoot: folder,
        spec,
        tree: head?.tree ?? "",
        signal,
      };
      const { result, why, testsRun, command } = await runCheck(run);
      const text = `${Buffer.from(command.stdout).toString("utf8")}\n${Buffer.from(command.stderr).toString("utf8")}`;
      const lines = failingLines(redact(text.trimEnd(), secrets).text);
      const { id, kind, argv } = spec;
      const shown = result === "passed" ? [] : lines;
      tested.push({ id, kind, argv, result, why, testsRun, durationMs: command.durationMs, lines: shown });
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return tested;
}
