// The repository and the machine under it: found by looking and trying.
import { accessSync, constants, statfsSync } from "node:fs";
import { dirname } from "node:path";
import type { SharedStore } from "../../../platform/config/shared-store/index.ts";
import { badCheck, FailureError, okCheck, type DoctorCheck } from "../../../core/contract/index.ts";
import { git, trackedRemedy, trackedState, type RepositoryLocation } from "../../../platform/git/index.ts";
import { detectSandbox, trustedPath } from "../../../platform/sandbox/index.ts";
import { inspectRepository } from "../../../workspace/inspect/index.ts";
import { clock, systemCode } from "../../../platform/system/index.ts";

/** Its settings are not used, and its runs are not listed, before they are taken over. */
async function previewCheck(place: RepositoryLocation): Promise<DoctorCheck[]> {
  const { holdsPreview } = await import("../preview/import.ts");
  return holdsPreview(place)
    ? [
        badCheck(
          "public preview",
          "warning",
          "the .thehood folder is that of the public preview: its settings are not used, its runs are not listed",
          "thehood init --import",
        ),
      ]
    : [];
}

export async function repositoryCheck(place: RepositoryLocation): Promise<DoctorCheck[]> {
  const { repository: found, root } = place;
  if (!found)
    return [
      badCheck(
        "repository",
        "warning",
        `${root} is not a git repository: only plan, research and review work here`,
        "git init, and commit something",
      ),
    ];
  const tracked = trackedState(found);
  return tracked.length > 0
    ? [
        badCheck(
          "repository",
          "blocker",
          "this repository tracks a .thehood/ folder: a stranger could steer runs with it",
          trackedRemedy,
        ),
      ]
    : [okCheck("repository", root), ...(await previewCheck(place))];
}

export async function safety({ root }: RepositoryLocation): Promise<DoctorCheck[]> {
  const { findings } = inspectRepository(root);
  return findings.length === 0
    ? [okCheck("safe to open", "nothing here would run or steer an agent unasked")]
    : [
        badCheck(
          "safe to open",
          "warning",
          `${findings.length} things here would run or steer an agent`,
          "thehood check repo",
        ),
      ];
}

export async function gitCheck({ repository: found }: RepositoryLocation): Promise<DoctorCheck[]> {
  if (!found) return [];
  const { stdout } = await git(found, ["version"]);
  return [okCheck("git", stdout.toString("utf8").trim())];
}

/** Looked for along the same path as for runs: only then does the answer hold for them. */
export async function sandbox(path: string | undefined): Promise<DoctorCheck[]> {
  const report = await detectSandbox(path ? { path: trustedPath(path) } : {}).catch((error: unknown) => {
    if (error instanceof FailureError) return error.failure;
    throw error;
  });
  if ("code" in report) return [badCheck("sandbox", "warning", report.message, report.remedy ?? null)];
  return report.kind === "none"
    ? [badCheck("sandbox", "warning", report.note, report.remedy ?? null)]
    : [
        okCheck(
          "sandbox",
          `${report.program ?? report.kind}${report.version ? ` ${report.version}` : ""}: ${sandboxInShort}`,
        ),
      ];
}

const sandboxInShort =
  "commands see a read-only system, not your home or logins, and no network unless a gate allowed it";

/** The folder, or the nearest one above it that exists; null where it can be written. */
function unwritable(folder: string): string | null {
  try {
    accessSync(folder, constants.W_OK | constants.X_OK);
    return null;
  } catch (error) {
    if (systemCode(error) === "ENOENT" && dirname(folder) !== folder) return unwritable(dirname(folder));
    return `${folder}: it cannot be written (${systemCode(error) ?? "no access"})`;
  }
}

export async function store({ stateDir }: RepositoryLocation, shared: SharedStore | undefined): Promise<DoctorCheck[]> {
  if (shared) return sharedStore(shared);
  const problem = unwritable(stateDir);
  if (problem !== null) return [badCheck("store", "blocker", problem, "Use a writable disk")];
  const { openStore } = await import("../../../platform/store/index.ts");
  const opened = openStore(stateDir, { clock, mode: "read" });
  try {
    return [okCheck("store", `${await opened.log.count()} runs in ${stateDir}`)];
  } finally {
    await opened.close();
  }
}

/** Found by connecting, so that a wrong address is known before a run. */
async function sharedStore(shared: SharedStore): Promise<DoctorCheck[]> {
  const { openSharedStore } = await import("../../../platform/store/postgres/index.ts");
  const opened = await openSharedStore({ ...shared, mode: "read", patience: 1_000 });
  const runs = await opened.log.count();
  await opened.close();
  return [okCheck("store", `shared: ${runs} runs of all repositories in PostgreSQL`)];
}

export function disk({ root }: RepositoryLocation): DoctorCheck[] {
  const { bavail, bsize } = statfsSync(root);
  const megabytes = Math.floor((Number(bavail) * Number(bsize)) / 1_048_576);
  return [
    megabytes < 500
      ? badCheck("disk", "warning", `${megabytes} MB free`, "Make room before a run")
      : okCheck("disk", `${megabytes} MB free`),
  ];
}
