// The results of a run: checks, passes, reviews, costs, artifacts and plans.
import type { RunStory } from "../../operations/run-data/index.ts";
import { Artifact } from "./evidence.tsx";
import { count, one, span, words } from "./format.ts";
import { Badge, Fact, Section } from "./parts.tsx";
import { link } from "./route.ts";
import { Seqs } from "./timeline.tsx";

export function Checks({ checks }: Pick<RunStory, "checks">) {
  if (checks.length === 0) return null;
  return (
    <details class="section more-of">
      <summary>Each run of a check ({checks.length})</summary>
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
                      ? "after, with the old tests"
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
    </details>
  );
}

export const Passes = ({ story: { passes, repo, runId } }: { story: RunStory }) =>
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
                {pass.pass > 1 && (
                  <>
                    {" · "}
                    <a href={link("diff", { repo, id: runId, pass: pass.pass })}>since the pass before</a>
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

export function Reviews({ story: { view } }: { story: RunStory }) {
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
              <Badge word={finding.severity === "info" ? "plain" : "ask"} text={finding.severity} /> {finding.message}{" "}
              <Seqs list={[finding.seq]} />
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}

export function Costs({ story: { view } }: { story: RunStory }) {
  const { counts, policy } = view;
  const { maxTokens, maxMinutes } = policy.budgets;
  return (
    <Section title="Crew and budget">
      <dl class="facts">
        <Fact name="Model calls">
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
            <li key={lane.id}>
              <b>{lane.title}</b> <code>{lane.owner.assignment ?? lane.owner.kind}</code> <Badge word={lane.state} />{" "}
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

export const ArtifactList = ({ story: { view, repo, runId } }: { story: RunStory }) => (
  <Section title="Artifacts" aside={<span class="quiet">{count(view.artifacts.length)}</span>}>
    <details>
      <summary>All of them, by their hash</summary>
      {view.artifacts.map((artifact) => (
        <Artifact key={`${artifact.ref}-${artifact.seq}`} repo={repo} runId={runId} of={artifact} />
      ))}
    </details>
  </Section>
);

export function Plans({ story: { view, repo, runId } }: { story: RunStory }) {
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
