// The report of a run: each claim with its status and the events that prove it.
import type { RunStory } from "../../operations/run-data/index.ts";
import { one } from "./format.ts";
import { useOperation } from "./api.ts";
import { Inline, Markdown } from "./markdown.tsx";
import { Badge, Section } from "./parts.tsx";
import { Seqs } from "./timeline.tsx";

interface Claim {
  readonly statement: string;
  readonly standing: "proven" | "judged" | "unproven";
  readonly why: string;
  readonly evidence: readonly number[];
}

export function Report({ story }: { story: RunStory }) {
  const { data } = useOperation<{ report: string; markdown: string }>("report", story.repo, {
    runId: story.runId,
  });
  if (!data) return null;
  const { claims, summary } = JSON.parse(data.report) as { claims: readonly Claim[]; summary: string };
  return (
    <Section
      title="Report"
      aside={
        <span class="quiet">{one(claims.filter(({ standing }) => standing === "proven").length, "claim")} proven</span>
      }
    >
      <p>{summary}</p>
      <ul class="claims">
        {claims.map((claim) => (
          <li key={claim.statement}>
            <Badge word={claim.standing} />
            <div>
              <b>
                <Inline text={claim.statement} />
              </b>{" "}
              <span class="quiet">{claim.why}</span> <Seqs list={claim.evidence} />
            </div>
          </li>
        ))}
      </ul>
      <details>
        <summary>The whole report</summary>
        <Markdown text={data.markdown} />
      </details>
    </Section>
  );
}
