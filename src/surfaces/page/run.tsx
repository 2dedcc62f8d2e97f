// A run: its state, its timeline and its results, each linked to the event that proves it.
import { useEffect, useState } from "preact/hooks";
import type { RunStory } from "../../operations/run-data/index.ts";
import { callOperation, gatesOnly, live, refusalOf, useOperation } from "./api.ts";
import { CheckTable } from "./check-table.tsx";
import { Evidence } from "./evidence.tsx";
import { ago, date, endState, folderName, now, one, short, span, words } from "./format.ts";
import { Badge, Refusal, Section, Waiting } from "./parts.tsx";
import { record } from "./record.ts";
import { link, route } from "./route.ts";
import { ArtifactList, Checks, Costs, Passes, Plans, Reviews } from "./run-pieces.tsx";
import { RunActions } from "./run-actions.tsx";
import { RunChange } from "./run-change.tsx";
import { RunFacts } from "./run-facts.tsx";
import { Report } from "./run-report.tsx";
import { Lanes, Moments } from "./timeline.tsx";

/** The story of the run, loaded again shortly after each event. */
function useStory(repo: string | undefined, id: string) {
  const asked = useOperation<RunStory>("timeline", repo, { runId: id });
  const [doing, tell] = useState<string | null>(null);
  useEffect(() => {
    let [after, late] = [0, 0];
    const path = () => `/api/live?${new URLSearchParams({ ...(repo ? { repo } : {}), run: id, after: String(after) })}`;
    const end = live<{
      event: { seq: number } | null;
      doing: string | null;
      held: string | null;
      work: readonly string[];
    }>(path, (message) => {
      if (message.event) after = message.event.seq;
      if (message.doing !== null) tell(message.held ?? message.work[0] ?? message.doing);
      // The current activity of an agent is not part of the story.
      if (message.work.length > 0) return;
      clearTimeout(late);
      late = window.setTimeout(asked.again, 60);
    });
    return () => {
      clearTimeout(late);
      end();
    };
  }, [repo, id]);
  return { ...asked, doing };
}

/** The state shows these already. */
const endedBy = (reason: string | null): string =>
  reason === "success" || reason === "completed_with_doubts" ? "" : words(reason ?? "");

function Head({ story, doing, act }: { story: RunStory; doing: string | null; act(operation: string): void }) {
  const { view, repo, runId, working, idle } = story;
  const over = ["completed", "failed", "aborted"].includes(view.state);
  const ending = endState({ ...view, ...(view.undo?.state === "done" ? { undone: true } : {}) });
  const watching = record !== undefined || gatesOnly.value;
  return (
    <header class="head">
      <nav class="crumbs" aria-label="Where">
        <a href={link("home")}>Runs</a>
        <span>{folderName(repo)}</span>
        <code class="id">{runId}</code>
      </nav>
      <h1>{view.goal}</h1>
      <p class="standing">
        <Badge
          word={view.gate ? "awaiting_approval" : working ? "working" : ending}
          text={view.gate ? "needs you" : words(ending)}
        />{" "}
        {over ? endedBy(view.stopReason) : (doing ?? view.monitor.doing)}{" "}
        {view.failureClass && (
          <span class="quiet">
            class <code>{view.failureClass}</code>
          </span>
        )}{" "}
        <span class="quiet" title={date(view.updatedAt)}>
          {over ? (record ? "" : ago(view.updatedAt)) : `for ${span(now.value - view.monitor.since)}`}
        </span>
      </p>
      <p class="actions">
        {!record && view.gate && (
          <a class="button primary" href={link("gate", { repo, id: runId })}>
            Look and decide
          </a>
        )}
        {!watching && !over && !idle && !working && (
          <button type="button" class="primary" onClick={() => act("continue")}>
            Continue
          </button>
        )}
        {!watching && !over && (
          <button type="button" onClick={() => confirm("End this run for good?") && act("abort")}>
            Abort
          </button>
        )}
      </p>
    </header>
  );
}

export function RunView() {
  const { repo, id = "", at } = route.value.of;
  const [all, setAll] = useState(false);
  const { data: story, refused, again, doing } = useStory(repo, id);
  const [wrong, setWrong] = useState<typeof refused>(undefined);
  useEffect(() => {
    document.title = `${story?.view.goal.slice(0, 60) ?? "Run"} · thehood`;
  }, [story?.view.goal]);
  const act = async (operation: string): Promise<void> => {
    setWrong(await refusalOf(() => callOperation(operation, repo, { runId: id })));
    again();
  };
  const moment = story?.timeline.moments.find(({ seq }) => String(seq) === at);
  if (!story)
    return (
      <main id="main">
        <Refusal refused={refused} />
        {!refused && <Waiting />}
      </main>
    );
  return (
    <main id="main" class={moment ? "beside" : ""}>
      <div class="column">
        <Head story={story} doing={doing} act={(operation) => void act(operation)} />
        {!record && !gatesOnly.value && <RunActions story={story} again={again} />}
        <Refusal refused={refused ?? wrong} />
        <RunFacts story={story} />
        {story.report && !gatesOnly.value ? (
          <Report key={story.report.report} story={story}>
            <RunChange story={story} />
          </Report>
        ) : (
          <RunChange story={story} />
        )}
        {story.view.result && story.view.result.checks.length > 0 && (
          <Section title="Checks">
            <CheckTable checks={story.view.result.checks} />
          </Section>
        )}
        <Section
          title="Timeline"
          aside={
            <label class="quiet">
              <input type="checkbox" checked={all} onChange={(event) => setAll(event.currentTarget.checked)} /> every
              event
            </label>
          }
        >
          <Lanes timeline={story.timeline} />
          <Moments moments={story.timeline.moments} all={all} />
        </Section>
        <Passes story={story} />
        <Plans story={story} />
        <Reviews story={story} />
        <Costs story={story} />
        <Checks checks={story.checks} />
        <ArtifactList story={story} />
        <p class="quiet">
          Run <code>{short(story.runId)}</code> in <code>{story.repo}</code>, {one(story.view.counts.events, "event")}.
        </p>
      </div>
      {moment && <Evidence key={moment.seq} moment={moment} repo={repo} runId={id} />}
    </main>
  );
}
