// A run: where it stands, its time, and everything that it left behind, each piece linked to the event that proves it.
import { useEffect, useState } from "preact/hooks";
import type { RunStory } from "../operations/runs/index.ts";
import { askServer, gatesOnly, live, refusalOf } from "./api.ts";
import { Evidence } from "./evidence.tsx";
import { ago, count, folderName, now, one, short, span, words } from "./format.ts";
import { useAsked } from "./load.ts";
import { Markdown } from "./markdown.tsx";
import { Badge, Fact, Refusal, Section, Waiting } from "./parts.tsx";
import { record } from "./record.ts";
import { link, place } from "./route.ts";
import { Lanes, Moments, select } from "./timeline.tsx";
import { Artifact } from "./evidence.tsx";

interface Claim {
  readonly statement: string;
  readonly standing: "proven" | "judged" | "unproven";
  readonly why: string;
  readonly evidence: readonly number[];
}

/** The story, loaded again shortly after each event. */
function useStory(repo: string | undefined, id: string) {
  const asked = useAsked<RunStory>("timeline", repo, { runId: id });
  const [doing, tell] = useState<string | null>(null);
  useEffect(() => {
    let [after, late] = [0, 0];
    const path = () =>
      `/api/live?${new URLSearchParams({ ...(repo ? { repo } : {}), run: id, after: String(after) })}`;
    const end = live<{
      event: { seq: number } | null;
      doing: string | null;
      held: string | null;
      work: readonly string[];
    }>(path, (message) => {
      if (message.event) after = message.event.seq;
      if (message.doing !== null) tell(message.held ?? message.work[0] ?? message.doing);
      // What an agent does at present is no part of the story.
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

/** Success is what the state says already. */
const endedBy = (reason: string | null): string => (reason === "success" ? "" : words(reason ?? ""));

function Head({
  story,
  doing,
  act,
}: {
  story: RunStory;
  doing: string | null;
  act(operation: string): void;
}) {
  const { view, repo, runId, working, idle } = story;
  const over = ["completed", "failed", "aborted"].includes(view.state);
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
          word={view.gate ? "awaiting_approval" : working ? "working" : view.state}
          text={view.gate ? "waits for you" : words(view.state)}
        />{" "}
        {over ? endedBy(view.stopReason) : (doing ?? view.monitor.doing)}{" "}
        <span class="quiet">
          {over ? ago(view.updatedAt) : `for ${span(now.value - view.monitor.since)}`}
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
        {story.passes.some(({ full }) => full !== null) && (
          <a class="button" href={link("diff", { repo, id: runId })}>
            See the change
          </a>
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

const Seqs = ({ list }: { list: readonly number[] }) => (
  <>
    {list.map((seq) => (
      <button key={seq} type="button" class="seq" aria-label={`Event ${seq}`} onClick={() => select(seq)}>
        {seq}
      </button>
    ))}
  </>
);

function Report({ story }: { story: RunStory }) {
  const { data } = useAsked<{ report: string; markdown: string }>("report", story.repo, {
    runId: story.runId,
  });
  if (!data) return null;
  const { claims, summary } = JSON.parse(data.report) as { claims: readonly Claim[]; summary: string };
  return (
    <Section
      title="Report"
      aside={
        <span class="quiet">
          {one(claims.filter(({ standing }) => standing === "proven").length, "claim")} proven
        </span>
      }
    >
      <p>{summary}</p>
      <ul class="claims">
        {claims.map((claim) => (
          <li key={claim.statement}>
            <Badge word={claim.standing} />
            <div>
              <b>{claim.statement}</b> <span class="quiet">{claim.why}</span> <Seqs list={claim.evidence} />
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

function Checks({ checks }: Pick<RunStory, "checks">) {
  if (checks.length === 0) return null;
  return (
    <Section title="Checks">
      <div class="scroll" tabIndex={0}>
        <table>
          <thead>
            <tr>
              <th scope="col">Command</th>
              <th scope="col">Tree</th>
              <th scope="col">Result</th>
              <th scope="col">Tests</th>
              <th scope="col">Took</th>
              <th scope="col">Event</th>
            </tr>
          </thead>
          <tbody>
            {checks.map((check) => (
              <tr key={check.seq}>
                <td>
                  <code>{check.command}</code>
                </td>
                <td>
                  {check.variant === "base"
                    ? "before"
                    : check.variant === "guarded"
                      ? "after, own checks"
                      : "after"}
                  {check.pass > 0 && check.variant !== "base" ? ` (pass ${check.pass})` : ""}
                </td>
                <td>
                  <Badge word={check.result} /> {check.note && <span class="quiet">{check.note}</span>}
                </td>
                <td>{check.testsRun ?? ""}</td>
                <td>{span(check.durationMs)}</td>
                <td>
                  <Seqs list={[check.seq]} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Section>
  );
}

const Passes = ({ story: { passes, repo, runId } }: { story: RunStory }) =>
  passes.length === 0 ? null : (
    <Section title="Passes">
      <ul class="plain">
        {passes.map((pass) => (
          <li key={pass.seq}>
            <b>Pass {pass.pass}</b>{" "}
            {pass.full === null ? (
              "changed nothing"
            ) : (
              <>
                <a href={link("diff", { repo, id: runId, ref: pass.full })}>whole change</a>
                {pass.step !== null && pass.step !== pass.full && (
                  <>
                    {" · "}
                    <a href={link("diff", { repo, id: runId, ref: pass.step })}>since the pass before</a>
                  </>
                )}{" "}
                <span class="quiet">{pass.paths.join(", ")}</span>
              </>
            )}{" "}
            <Seqs list={[pass.seq]} />
          </li>
        ))}
      </ul>
    </Section>
  );

function Reviews({ story: { view } }: { story: RunStory }) {
  return (
    <Section title="Reviews">
      <ul class="claims">
        {view.reviewLanes.map((lane) => (
          <li key={lane.id}>
            <Badge word={lane.state} />
            <div>
              <b>{lane.title}</b> {lane.required ? "" : <span class="quiet">(advice)</span>}{" "}
              <span class="quiet">{lane.why}</span> <Seqs list={lane.refs.events} />
            </div>
          </li>
        ))}
      </ul>
      {view.findings.length > 0 && (
        <ul class="plain">
          {view.findings.map((finding) => (
            <li key={finding.seq}>
              <Badge word={finding.severity === "info" ? "plain" : "ask"} text={finding.severity} />{" "}
              {finding.message} <Seqs list={[finding.seq]} />
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}

function Costs({ story: { view } }: { story: RunStory }) {
  const { counts, policy } = view;
  const { maxTokens, maxMinutes } = policy.budgets;
  return (
    <Section title="Crew and budget">
      <dl class="facts">
        <Fact name="Answers">
          {count(counts.responses)} of {count(counts.maxIterations)}
        </Fact>
        <Fact name="Tokens">
          {count(counts.tokens)}
          {maxTokens ? ` of ${count(maxTokens)}` : ""}
        </Fact>
        {maxMinutes ? <Fact name="Time">{span(maxMinutes * 60_000)} at most</Fact> : null}
        <Fact name="Approvals">{words(policy.approvals)}</Fact>
        <Fact name="Base">
          <code>{view.base.commit?.slice(0, 12) ?? "none"}</code> {view.base.branch}
        </Fact>
      </dl>
      <ul class="plain">
        {view.crewLanes
          .filter(({ state }) => state !== "unassigned")
          .map((lane) => (
            <li key={lane.role}>
              <b>{lane.label}</b> <code>{lane.owner.assignment ?? "runtime"}</code>{" "}
              <Badge word={lane.state} />{" "}
              <span class="quiet">
                {lane.calls > 0 ? `${one(lane.calls, "call")}, ${count(lane.tokens)} tokens. ` : ""}
                {lane.last}
              </span>
            </li>
          ))}
      </ul>
    </Section>
  );
}

const Artifacts = ({ story: { view, repo, runId } }: { story: RunStory }) => (
  <Section title="Artifacts" aside={<span class="quiet">{count(view.artifacts.length)}</span>}>
    <details>
      <summary>All of them, by their hash</summary>
      {view.artifacts.map((artifact) => (
        <Artifact key={`${artifact.ref}-${artifact.seq}`} repo={repo} runId={runId} of={artifact} />
      ))}
    </details>
  </Section>
);

function Plans({ story: { view, repo, runId } }: { story: RunStory }) {
  if (view.plans.length === 0) return null;
  return (
    <Section title="Plan">
      <ul class="plain">
        {view.plans.map((plan) => (
          <li key={plan.seq}>
            {plan.superseded ? <s>{plan.summary}</s> : plan.summary} <Seqs list={[plan.seq]} />
            <Artifact repo={repo} runId={runId} of={{ ref: plan.ref, kind: "plan", summary: "the plan" }} />
          </li>
        ))}
      </ul>
    </Section>
  );
}

export function RunView() {
  const { repo, id = "", at } = place.value.of;
  const [all, setAll] = useState(false);
  const { data: story, refused, again, doing } = useStory(repo, id);
  const [wrong, setWrong] = useState<typeof refused>(undefined);
  useEffect(() => {
    document.title = `${story?.view.goal.slice(0, 60) ?? "Run"} · thehood`;
  }, [story?.view.goal]);
  const act = async (operation: string): Promise<void> => {
    setWrong(await refusalOf(() => askServer(operation, repo, { runId: id })));
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
        <Refusal refused={refused ?? wrong} />
        {story.report && !gatesOnly.value && <Report key={story.report.report} story={story} />}
        <Section
          title="Timeline"
          aside={
            <label class="quiet">
              <input
                type="checkbox"
                checked={all}
                onChange={(event) => setAll(event.currentTarget.checked)}
              />{" "}
              every event
            </label>
          }
        >
          <Lanes timeline={story.timeline} />
          <Moments moments={story.timeline.moments} all={all} />
        </Section>
        <Checks checks={story.checks} />
        <Passes story={story} />
        <Plans story={story} />
        <Reviews story={story} />
        <Costs story={story} />
        <Artifacts story={story} />
        <p class="quiet">
          Run <code>{short(story.runId)}</code> in <code>{story.repo}</code>,{" "}
          {one(story.view.counts.events, "event")}.
        </p>
      </div>
      {moment && <Evidence key={moment.seq} moment={moment} repo={repo} runId={id} />}
    </main>
  );
}
