// The facts of a run that a reader elsewhere needs: when, where, who approved, what it cost.
import type { RunStory } from "../../operations/run-data/index.ts";
import { date, folderName, span } from "./format.ts";
import { Fact } from "./parts.tsx";

const places = {
  cli: "in a terminal",
  tui: "in a terminal",
  web: "on the page",
  mcp: "through a program",
  library: "through a program",
  runtime: "by policy",
} as const;

/** Who let the work pass: the last answer of a person, or the policy. */
function approver({ view: { approvals } }: RunStory): string {
  const passed = approvals.filter(({ answer }) => answer !== "reject" && answer !== "abort" && answer !== "revise");
  const last = passed.findLast(({ by }) => by.kind === "person") ?? passed.at(-1);
  if (!last) return "nobody was asked";
  const { by, at } = last;
  if (by.kind === "policy") return `the policy of the user, ${date(at)}`;
  return `a person ${places[by.surface]}${by.name ? ` (${by.name})` : ""}, ${date(at)}`;
}

export function RunFacts({ story }: { story: RunStory }) {
  const { view, repo, timeline } = story;
  const { commit, branch } = view.base;
  const over = ["completed", "failed", "aborted"].includes(view.state);
  const size = view.result?.facts[0]?.text;
  return (
    <dl class="facts">
      <Fact name={over ? "Ended" : "Started"}>{date(over ? view.updatedAt : view.createdAt)}</Fact>
      <Fact name="Took">{span((over ? view.updatedAt : (timeline.to ?? view.updatedAt)) - view.createdAt)}</Fact>
      <Fact name="Repository">{folderName(repo)}</Fact>
      <Fact name="On commit">
        <code>{commit?.slice(0, 12) ?? "none"}</code> {branch}
      </Fact>
      {view.approvals.length > 0 && <Fact name="Approved by">{approver(story)}</Fact>}
      <Fact name="Cost">{view.counts.cost || "none reported"}</Fact>
      {size && <Fact name="Change">{size}</Fact>}
    </dl>
  );
}
