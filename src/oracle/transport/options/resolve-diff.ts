// Diff and git options: when the diff pipeline is active (T-11), and which combinations are refused.
import { fail } from "../../../core/contract/index.ts";
import { redact } from "../../../core/secrets/index.ts";
import type { Options, RunRequest } from "../../../core/contract/transport/index.ts";

/** T-16: compared by segments later; here it becomes one clean relative folder. */
function normalizePrefix(given: string): string {
  const path = given
    .replaceAll("\\", "/")
    .replace(/^(\.\/)+/, "")
    .replace(/\/+$/, "");
  const bad = path === "" || path === "." || path.startsWith("/") || /^[a-z]:/i.test(path);
  if (bad || path.split("/").some((part) => part === ".." || part === "." || part === ""))
    return fail("invalid_input", `--restrict-path-prefix ${given} is not a folder inside the repository.`, {
      remedy: "Give a relative folder, e.g. --restrict-path-prefix src",
    });
  return path;
}

export function resolveDiff(options: Options, warnings: string[]): RunRequest["diff"] {
  const active =
    options.emitDiffOnly === true ||
    options.diffOutput !== undefined ||
    options.applyMode !== undefined ||
    options.strictDiff === true ||
    options.retryIfNoDiff === true;
  if (!active)
    for (const [flag, value] of [
      ["--restrict-path-prefix", options.restrictPathPrefix],
      ["--max-retries", options.maxRetries],
      ["--followup-prompt", options.followupPrompt],
    ] as const)
      if (value !== undefined) warnings.push(`${flag} has no effect: no diff was asked for.`);
  return {
    active,
    emitOnly: options.emitDiffOnly ?? false,
    strict: options.strictDiff ?? false,
    restrictPrefix: options.restrictPathPrefix === undefined ? null : normalizePrefix(options.restrictPathPrefix),
    retry: options.retryIfNoDiff ?? false,
    maxRetries: options.maxRetries ?? 1,
    followupPrompt: options.followupPrompt ?? null,
  };
}

export function checkGitOptions({ git }: RunRequest): void {
  const needsCommit = [
    ["--push", git.push],
    ["--branch", git.branch !== null],
    ["--commit-message", git.commitMessage !== null],
  ] as const;
  for (const [flag, given] of needsCommit)
    if (given && git.applyMode !== "commit")
      fail("invalid_input", `${flag} needs --apply-mode commit; this is ${git.applyMode}.`, {
        remedy: `Add --apply-mode commit, or leave ${flag} out.`,
      });
  if (git.commitMessage?.trim() === "")
    fail("invalid_input", "--commit-message is empty.", {
      remedy: "Say what the commit does, or leave it out.",
    });
  const { matches } = redact(git.commitMessage ?? "");
  if (matches.length > 0)
    fail(
      "invalid_input",
      `--commit-message holds a secret (${[...new Set(matches.map(({ label }) => label))].join(", ")}); every reader of the commit would see it.`,
      { remedy: "Take it out of the message." },
    );
}
