// Looks at the repository before anything else does: is it safe to open, is it git, is it clean.
import type { EffectContext, EffectOutcome } from "../../contract/index.ts";
import { putJson } from "./redaction.ts";
import type { Rooms } from "./rooms.ts";

export async function inspectRepository(rooms: Rooms, context: EffectContext): Promise<EffectOutcome> {
  const { safe, findings } = await rooms.repository.inspect();
  const state = safe ? await rooms.repository.state(context.signal) : null;
  const ref =
    findings.length === 0
      ? null
      : await putJson(
          rooms,
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
    },
  };
}
