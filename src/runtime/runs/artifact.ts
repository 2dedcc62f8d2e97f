// An artifact of a run by its ref or a unique beginning of its hash. Only artifacts that the run's own record names can be read.
import { fail, type Artifacts } from "../../core/contract/index.ts";
import type { Run } from "../../core/machine/index.ts";

export async function findArtifact(
  artifacts: Artifacts,
  run: Run,
  ref: string,
  range: { offset?: number | undefined; max?: number | undefined } = {},
) {
  const hash = ref.startsWith("sha256:") ? ref.slice(7) : ref;
  if (!/^[0-9a-f]{4,64}$/.test(hash))
    fail("invalid_input", `"${ref.slice(0, 80)}" is not an artifact ref.`, {
      remedy: `Refs are sha256:… ; list them: thehood show ${run.runId}`,
    });
  const matches = new Map(
    run.artifacts.filter((entry) => entry.ref.startsWith(`sha256:${hash}`)).map((entry) => [entry.ref, entry]),
  );
  const found = [...matches.values()][0];
  if (!found)
    fail("not_found", `Run ${run.runId} has no artifact ${ref.slice(0, 80)}.`, {
      remedy: `List them: thehood show ${run.runId}`,
    });
  if (matches.size > 1)
    fail("invalid_input", `${ref} is the beginning of ${matches.size} artifacts.`, {
      remedy: "Say more of the hash.",
    });
  const offset = range.offset ?? 0;
  const { bytes, total } = await artifacts.slice(found.ref, offset, range.max ?? Math.max(0, found.bytes - offset));
  return { bytes, total, ref: found.ref, kind: found.kind, mediaType: found.mediaType };
}
