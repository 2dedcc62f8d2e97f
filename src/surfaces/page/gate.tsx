// The gate: one page with everything for one decision. The verdict and the answers stand beside the change.
import { useEffect, useMemo, useState } from "preact/hooks";
import type { ReadableGate, GateDetailsView } from "../../operations/run-data/index.ts";
import { live, useOperation } from "./api.ts";
import { date, folderName, now, span, words } from "./format.ts";
import { Comments, type Comment } from "./gate-comments.tsx";
import { Decision } from "./gate-decision.tsx";
import { OtherSheet, ResultSheet, StartSheet, type SheetProps } from "./gate-sheet.tsx";
import { Verdict } from "./gate-verdict.tsx";
import { Refusal, Waiting } from "./parts.tsx";
import { go, link, route } from "./route.ts";
import { watchSeen } from "./seen.ts";

const sheets = { result: ResultSheet, start: StartSheet, other: OtherSheet } as const;

/** A start and a result are known by their goal; any other question by its own title. */
function Head({ sheet, gate }: Pick<SheetProps, "sheet" | "gate">) {
  const { summary, title, since } = gate;
  const known = summary !== null && summary.sort !== "other";
  return (
    <header class="head">
      <h1>{known ? sheet.goal : title}</h1>
      <p class="quiet">
        {known ? folderName(sheet.repo) : sheet.goal}
        {summary && summary.workedMs > 0 ? ` · worked ${span(summary.workedMs)}` : ""}
        {summary && summary.cost !== "" ? ` · ${summary.cost}` : ""}
        {" · "}
        <span title={date(since)}>waiting for you for {span(now.value - since)}</span>
      </p>
    </header>
  );
}

function Gate({ sheet, gate, done }: { sheet: GateDetailsView; gate: ReadableGate; done(): void }) {
  const seen = useMemo(watchSeen, [gate.id]);
  useEffect(() => seen.stop, [seen]);
  const [comments, set] = useState<readonly Comment[]>([]);
  const comment = (path: string, line: string, text: string): void => {
    if (!comments.some((known) => known.path === path && known.line === line))
      set([...comments, { path, line, text, words: "" }]);
  };
  const Sheet = sheets[gate.summary?.sort ?? "other"];
  return (
    <article class="gate">
      <Head sheet={sheet} gate={gate} />
      <aside class="card" aria-label="Verdict and decision">
        <Verdict gate={gate} />
        <Decision sheet={sheet} gate={gate} seen={seen} comments={comments} comment={comment} done={done} />
      </aside>
      <div class="sheet">
        <Comments comments={comments} set={set} />
        <Sheet sheet={sheet} gate={gate} seen={seen} comment={comment} />
      </div>
    </article>
  );
}

export function GateView() {
  const { repo, id = "" } = route.value.of;
  const { data, refused, again } = useOperation<GateDetailsView>("gate", repo, { runId: id });
  const [shown, show] = useState<GateDetailsView | undefined>(undefined);
  useEffect(() => {
    if (data && !shown) show(data);
  }, [data]);
  useEffect(() => {
    let after = 0;
    const path = () => `/api/live?${new URLSearchParams({ ...(repo ? { repo } : {}), run: id, after: String(after) })}`;
    return live<{ event: { seq: number } | null; work: readonly string[] }>(path, ({ event, work }) => {
      if (event) after = event.seq;
      // The current activity of an agent does not change a gate.
      if (work.length === 0) again();
    });
  }, [repo, id]);
  useEffect(() => {
    document.title = `${shown?.gates[0]?.title ?? "Gate"} · thehood`;
  }, [shown]);
  const same = data?.gates.map((gate) => gate.sha256).join() === shown?.gates.map((gate) => gate.sha256).join();
  if (!shown) return <main id="main">{refused ? <Refusal refused={refused} /> : <Waiting />}</main>;
  return (
    <main id="main" class="wide">
      <nav class="crumbs" aria-label="Where">
        <a href={link("home")}>Runs</a>
        <span>{folderName(shown.repo)}</span>
        <a href={link("run", { repo, id })}>{shown.runId}</a>
      </nav>
      {data && !same && (
        <div class="refusal" role="alert">
          <b>{data.gates.length === 0 ? "This was decided elsewhere." : "Another question is open now."}</b>
          <p>
            <button type="button" onClick={() => show(data)}>
              Show the current state
            </button>
          </p>
        </div>
      )}
      {shown.gates.length === 0 && (
        <div class="empty">
          <p>There is nothing to decide here: the run is {words(shown.state)}.</p>
          <p>
            <a href={link("run", { repo, id })}>Look at the run</a>
          </p>
        </div>
      )}
      {shown.gates.map((gate) => (
        <Gate key={gate.id} sheet={shown} gate={gate} done={() => go(link("run", { repo, id }))} />
      ))}
    </main>
  );
}
