// Looks at the repository before anything else does: is it safe to open, is it git, is it clean.
import type { EffectContext, EffectOutcome } from "../../contract/index.ts";
import { putJson } from "./redaction.ts";
import type { EffectPorts } from "./ports.ts";

export async function inspectRepository(ports: EffectPorts, context: EffectContext): Promise<EffectOutcome> {
  const { safe, findings } = await ports.repository.inspect();
  const state = safe ? await ports.repository.state(context.signal) : null;
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
    },
  };
}
