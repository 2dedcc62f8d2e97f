// The evidence of one event, beside the timeline: its text and its artifacts.
import { useState } from "preact/hooks";
import type { Moment } from "../../core/machine/view/index.ts";
import { clock, count, short, words } from "./format.ts";
import { useOperation } from "./api.ts";
import { Badge, Refusal, Waiting } from "./parts.tsx";
import { link } from "./route.ts";
import { select } from "./timeline.tsx";

interface Page {
  readonly content?: string;
  readonly binary?: true;
  readonly total_bytes: number;
  readonly next_offset?: number | null;
}

/** JSON is indented; any other text stays as it is. */
function formatted(text: string): string {
  if (!/^\s*[[{]/.test(text)) return text;
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

export function Artifact({
  repo,
  runId,
  of: artifact,
}: {
  repo: string | undefined;
  runId: string;
  of: Moment["refs"][number];
}) {
  const [open, setOpen] = useState(false);
  const label = artifact.summary || words(artifact.kind);
  if (artifact.kind === "diff")
    return (
      <p>
        <a href={link("diff", { repo, id: runId, ref: artifact.ref })}>{label}</a>{" "}
        <code class="id">{short(artifact.ref)}</code>
      </p>
    );
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        {label} <code class="id">{short(artifact.ref)}</code>
      </summary>
      {open && <Text repo={repo} runId={runId} reference={artifact.ref} />}
    </details>
  );
}

function Text({ repo, runId, reference }: { repo: string | undefined; runId: string; reference: string }) {
  const [offset, setOffset] = useState(0);
  const { data, refused } = useOperation<Page>("artifact page", repo, {
    runId,
    ref: reference,
    offset,
    maxBytes: 200_000,
  });
  if (refused) return <Refusal refused={refused} />;
  if (!data) return <Waiting />;
  if (data.binary) return <p class="quiet">Binary, {count(data.total_bytes)} bytes.</p>;
  const next = data.next_offset ?? null;
  return (
    <>
      <pre class="artifact" tabIndex={0}>
        {offset === 0 && next === null ? formatted(data.content ?? "") : data.content}
      </pre>
      {(offset > 0 || next !== null) && (
        <p class="pager">
          {offset > 0 && (
            <button type="button" onClick={() => setOffset(Math.max(0, offset - 200_000))}>
              Before
            </button>
          )}
          <span>
            from byte {count(offset)} of {count(data.total_bytes)}
          </span>
          {next !== null && (
            <button type="button" onClick={() => setOffset(next)}>
              After
            </button>
          )}
        </p>
      )}
    </>
  );
}

export function Evidence({ moment, repo, runId }: { moment: Moment; repo: string | undefined; runId: string }) {
  const refs = [...new Map(moment.refs.map((ref) => [ref.ref, ref])).values()];
  return (
    <aside class="evidence" aria-label="Evidence">
      <header>
        <h2>Event {moment.seq}</h2>
        <button type="button" aria-label="Close" onClick={() => select(moment.seq)}>
          ×
        </button>
      </header>
      <p>
        <Badge word={moment.mark === "info" ? "plain" : moment.mark} text={words(moment.type)} />{" "}
        <time>{clock(moment.at)}</time>
      </p>
      <p class="said">{moment.text}</p>
      {refs.length === 0 && <p class="quiet">It names no artifact: the event itself is the evidence.</p>}
      {refs.map((artifact) => (
        <Artifact key={artifact.ref} repo={repo} runId={runId} of={artifact} />
      ))}
    </aside>
  );
}
