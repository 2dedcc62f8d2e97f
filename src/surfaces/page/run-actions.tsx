// What a person does with the finished work: undo, commit, a branch, a pull request, a follow-up.
import { useState } from "preact/hooks";
import type { RunStory } from "../../operations/run-data/index.ts";
import { callOperation, refusalOf, type Refused } from "./api.ts";
import { Refusal } from "./parts.tsx";
import { link } from "./route.ts";

/** A name for a branch from the goal. */
const branchName = (goal: string): string =>
  goal
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-+|-+$/g, "")
    .slice(0, 40)
    .replace(/-+$/, "") || "work";

interface FormProps {
  readonly story: RunStory;
  readonly busy: boolean;
  make(branch: string): void;
}

function BranchForm({ story, busy, make }: FormProps) {
  const [name, setName] = useState(branchName(story.view.goal));
  return (
    <form class="at-line" onSubmit={(event) => (event.preventDefault(), make(name))}>
      <input aria-label="Branch" value={name} onInput={(event) => setName(event.currentTarget.value)} required />
      <button disabled={busy}>Make the branch</button>
      <span class="quiet">It gets one commit with exactly the verified change; your own branch does not move.</span>
    </form>
  );
}

const done: Readonly<Record<string, (result: Readonly<Record<string, unknown>>) => string>> = {
  undo: ({ paths }) => `Undone: ${(paths as readonly string[]).join(", ") || "nothing was left"}.`,
  commit: ({ commit }) => `Committed as ${String(commit).slice(0, 12)}.`,
  pr: ({ url, branch, bodyFile }) =>
    url === null ? `Pushed to ${String(branch)}; its text is in ${String(bodyFile)}.` : `Draft: ${String(url)}`,
};

export function RunActions({ story, again }: { story: RunStory; again(): void }) {
  const { repo, runId, view, passes } = story;
  const [busy, setBusy] = useState(false);
  const [refused, refuse] = useState<Refused | undefined>(undefined);
  const [message, setMessage] = useState("");
  const [asking, ask] = useState(false);
  const send = async (operation: "undo" | "commit" | "pr", input: object = {}): Promise<void> => {
    setBusy(true);
    setMessage("");
    const asked = async () => {
      const result = await callOperation<Readonly<Record<string, unknown>>>(operation, repo, { runId, ...input });
      setMessage(done[operation]?.(result) ?? "");
      ask(false);
    };
    const problem = await refusalOf(asked);
    setBusy(false);
    // The server names what would be pushed, and where, before it sends anything.
    if (problem?.code === "approval_required" && confirm(`${problem.message} Push it now?`))
      return send(operation, { ...input, yes: true });
    refuse(problem?.code === "approval_required" ? undefined : problem);
    return again();
  };
  const changed = view.state === "completed" && passes.some(({ full }) => full !== null);
  const open = changed && view.undo?.state !== "done";
  const sure = "Take the work of this run out of your checkout? Your own edits stay.";
  return (
    <>
      {open && (
        <p class="actions" role="group" aria-label="What to do with the work">
          <button type="button" disabled={busy} onClick={() => void send("commit")}>
            Commit
          </button>
          <button type="button" disabled={busy} aria-expanded={asking} onClick={() => ask(!asking)}>
            Branch …
          </button>
          <button type="button" disabled={busy} onClick={() => void send("pr")}>
            Pull request …
          </button>
          <a class="button" href={link("start", { repo, after: runId })}>
            Follow up
          </a>
          <button type="button" class="danger" disabled={busy} onClick={() => confirm(sure) && void send("undo")}>
            Undo
          </button>
        </p>
      )}
      {open && asking && <BranchForm story={story} busy={busy} make={(branch) => void send("commit", { branch })} />}
      <Refusal refused={refused} />
      <p role="status" class="good">
        {message}
      </p>
    </>
  );
}
