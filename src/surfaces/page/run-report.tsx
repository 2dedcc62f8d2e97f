// The report of a run: each claim with its status and the events that prove it.
import type { ComponentChildren } from "preact";
import type { Doubt } from "../../core/contract/index.ts";
import type { RunStory } from "../../operations/run-data/index.ts";
import { one, words } from "./format.ts";
import { useOperation } from "./api.ts";
import { Copy } from "./copy.tsx";
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
    <ul class="plain doubts">
      {doubts.map((doubt) => (
        <li key={`${doubt.kind} ${doubt.place} ${doubt.measure}`}>
          <Badge word="ask" text="doubt" /> <b>{words(doubt.kind)}</b> <Inline text={doubt.place} />{" "}
          <span class="quiet">{doubt.measure}</span>
        </li>
      ))}
    </ul>
  );

/** One sentence about the end, and the whole text for a pull request. */
const Summary = ({ doubts = [], summary, markdown }: ReportText & { markdown: string }) => (
  <Section title="Report" aside={<Copy text={() => markdown}>Copy as Markdown</Copy>}>
    <p>{summary}</p>
    <Doubts doubts={doubts} />
  </Section>
);

const Claims = ({ claims, markdown }: Pick<ReportText, "claims"> & { markdown: string }) => (
  <Section
    title="Claims"
    aside={
      <span class="quiet">
        {claims.filter(({ standing }) => standing === "proven").length} of {one(claims.length, "claim")} proven
      </span>
    }
  >
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
      <Markdown text={markdown} />
    </details>
  </Section>
);

/** The change stands between the summary and the claims. */
export function Report({ story: { repo, runId }, children }: { story: RunStory; children: ComponentChildren }) {
  const { data } = useOperation<{ report: string; markdown: string }>("report", repo, { runId });
  const report = data && (JSON.parse(data.report) as ReportText);
  return (
    <>
      {report && <Summary {...report} markdown={data.markdown} />}
      {children}
      {report && <Claims claims={report.claims} markdown={data.markdown} />}
    </>
  );
}
