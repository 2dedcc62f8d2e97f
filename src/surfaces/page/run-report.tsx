// The report of a run: each claim with its status and the events that prove it.
import type { Doubt } from "../../core/contract/index.ts";
import type { RunStory } from "../../operations/run-data/index.ts";
import { one, words } from "./format.ts";
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

interface ReportText {
  readonly claims: readonly Claim[];
  readonly doubts?: readonly Doubt[];
  readonly summary: string;
}

/** What the runtime could not prove, before everything that it did. */
const Doubts = ({ doubts }: { doubts: readonly Doubt[] }) =>
  doubts.length === 0 ? null : (
    <ul class="claims doubts">
      {doubts.map((doubt) => (
        <li key={`${doubt.kind} ${doubt.place} ${doubt.measure}`}>
          <Badge word="ask" text="doubt" />
          <div>
            <b>{words(doubt.kind)}</b> <Inline text={doubt.place} /> <span class="quiet">{doubt.measure}</span>
          </div>
        </li>
      ))}
    </ul>
  );

export function Report({ story }: { story: RunStory }) {
  const { data } = useOperation<{ report: string; markdown: string }>("report", story.repo, {
    runId: story.runId,
  });
  if (!data) return null;
  const { claims, doubts = [], summary } = JSON.parse(data.report) as ReportText;
  return (
    <Section
      title="Report"
      aside={
        <span class="quiet">{one(claims.filter(({ standing }) => standing === "proven").length, "claim")} proven</span>
      }
    >
      <Doubts doubts={doubts} />
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
