// The last change of a run, open on its page where it is not very long.
import type { ShownPatch } from "../../core/patch/index.ts";
import type { RunStory } from "../../operations/run-data/index.ts";
import { useOperation } from "./api.ts";
import { Diff } from "./diff.tsx";
import { one } from "./format.ts";
import { Section } from "./parts.tsx";
import { link } from "./route.ts";

/** Longer changes stay on their own page. */
const mostLines = 400;

export function RunChange({ story: { repo, runId, passes } }: { story: RunStory }) {
  const last = passes.findLast(({ full }) => full !== null)?.full;
  const { data } = useOperation<ShownPatch>("changes", repo, { runId, ...(last ? { ref: last } : {}) });
  if (!last || !data) return null;
  const lines = data.added + data.removed;
  const alone = (
    <a class="quiet" href={link("diff", { repo, id: runId })}>
      On its own page
    </a>
  );
  return (
    <Section title="The change" aside={alone}>
      {lines > mostLines ? <p>{one(lines, "changed line")}.</p> : <Diff patch={data} needsYes={[]} />}
    </Section>
  );
}
