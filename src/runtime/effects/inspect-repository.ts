// Inspects the repository before any other effect: is it safe to open, is it git, is it clean.
import type { ArtifactRef, EffectOf, EffectOutcome } from "../../core/contract/index.ts";
import { listTree, readBlobs } from "../../platform/git/index.ts";
import { inspectRepository as inspectFolder } from "../../workspace/inspect/index.ts";
import { type EffectDeps, repositoryOf, stateOf } from "./deps.ts";
import { putJson } from "./redaction.ts";

/** Files in which a repository instructs agents. */
const guides = ["AGENTS.md", "CLAUDE.md"];

/** As the base commit has them: edits of a run do not steer its agents. */
async function guidesOf(deps: EffectDeps, commit: string): Promise<ArtifactRef[]> {
  const repository = repositoryOf(deps);
  const found = (await listTree(repository, commit)).filter(
    ({ path, mode }) => guides.includes(path) && mode.startsWith("100"),
  );
  const blobs = await readBlobs(
    repository,
    found.map(({ object }) => object),
  );
  return Promise.all(
    found.map(({ path }, at) =>
      deps.artifacts.put(deps.text.redact((blobs[at] ?? Buffer.alloc(0)).toString("utf8")), {
        kind: "context",
        mediaType: "text/plain; charset=utf-8",
        summary: `${path} of the base commit`,
      }),
    ),
  );
}

export async function inspectRepository(
  deps: EffectDeps,
  { baseCommit }: EffectOf<"inspect_repository">,
): Promise<EffectOutcome> {
  // By reading files only: git must not run in a folder that is not safe.
  const { safe, findings } = inspectFolder(deps.root);
  const state = safe ? await stateOf(deps) : null;
  const instructions = state !== null && baseCommit !== null ? await guidesOf(deps, baseCommit) : [];
  const ref =
    findings.length === 0
      ? null
      : await putJson(deps, "repo_findings", { kind: "repo_findings", findings }, `${findings.length} findings`);
  return {
    kind: "inspect_repository",
    inspection: {
      findings: ref,
      safe,
      problems: findings.slice(0, 50).map(({ path, what }) => (path === "" ? what : `${path}: ${what}`)),
      git: state !== null,
      head: state?.head ?? null,
      clean: state?.clean ?? null,
      confinement: await deps.commands.confinement(),
      ...(instructions.length > 0 ? { instructions } : {}),
    },
  };
}
