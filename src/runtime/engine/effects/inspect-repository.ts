// Looks at the repository before anything else does: is it safe to open, is it git, is it clean.
import type { ArtifactRef, EffectContext, EffectOf, EffectOutcome } from "../../../core/contract/index.ts";
import { putJson } from "./redaction.ts";
import type { EffectPorts } from "./ports.ts";

/** Files in which a repository tells agents how to work in it. */
const guides = ["AGENTS.md", "CLAUDE.md"];

/** As the base commit has them: edits of a run do not steer its agents. */
async function guidesOf(ports: EffectPorts, commit: string): Promise<ArtifactRef[]> {
  const found = await ports.repository.committed(commit, guides);
  return Promise.all(
    found.map(({ path, text }) =>
      ports.artifacts.put(ports.text.redact(text), {
        kind: "context",
        mediaType: "text/plain; charset=utf-8",
        summary: `${path} of the base commit`,
      }),
    ),
  );
}

export async function inspectRepository(
  ports: EffectPorts,
  { baseCommit }: EffectOf<"inspect_repository">,
  context: EffectContext,
): Promise<EffectOutcome> {
  const { safe, findings } = await ports.repository.inspect();
  const state = safe ? await ports.repository.state(context.signal) : null;
  const instructions = state !== null && baseCommit !== null ? await guidesOf(ports, baseCommit) : [];
  const ref =
    findings.length === 0
      ? null
      : await putJson(
          ports,
          "repo_findings",
          { kind: "repo_findings", findings },
          `${findings.length} findings`,
        );
  return {
    kind: "inspect_repository",
    inspection: {
      findings: ref,
      safe,
      problems: findings.slice(0, 50).map(({ path, what }) => (path === "" ? what : `${path}: ${what}`)),
      git: state !== null,
      head: state?.head ?? null,
      clean: state?.clean ?? null,
      confinement: await ports.commands.confinement(),
      ...(instructions.length > 0 ? { instructions } : {}),
    },
  };
}
