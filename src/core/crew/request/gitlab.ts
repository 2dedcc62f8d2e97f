// A merge request from the JSON of `glab mr view`, its discussions and the jobs of its newest pipeline.
import { field, lineField, listField, placeOf, textField } from "./fields.ts";
import type { ForgeRequest, RequestCheck, RequestComment } from "./request.ts";

const passed = ["success", "skipped", "manual"];
const failed = ["failed", "canceled"];

function checkOf(job: unknown): RequestCheck {
  const status = textField(job, "status");
  const forgiven = field(job, "allow_failure") === true;
  const state = passed.includes(status)
    ? "passed"
    : !failed.includes(status)
      ? "pending"
      : forgiven
        ? "passed"
        : "failed";
  return {
    name: lineField(job, "name") || "job",
    state,
    url: lineField(job, "web_url"),
    job: textField(job, "id") || null,
  };
}

const commentsOf = (discussions: unknown): RequestComment[] =>
  (Array.isArray(discussions) ? discussions : []).flatMap((discussion: unknown) =>
    listField(discussion, "notes")
      .filter((note) => field(note, "system") !== true && field(note, "resolved") !== true)
      .map((note) => ({
        author: lineField(field(note, "author"), "username") || "unknown",
        place: placeOf(textField(note, "position", "new_path"), textField(note, "position", "new_line")),
        text: textField(note, "body"),
      })),
  );

/** The number of the newest pipeline; empty without one. */
export const pipelineOf = (view: unknown): string =>
  textField(view, "head_pipeline", "id") || textField(view, "pipeline", "id");

/** Undefined where the answer is not a merge request. */
export function gitlabRequest(view: unknown, discussions: unknown, jobs: unknown): ForgeRequest | undefined {
  const state = { opened: "open", locked: "open", closed: "closed", merged: "merged" } as const;
  const known = state[textField(view, "state") as keyof typeof state] as ForgeRequest["state"] | undefined;
  const [branch, head] = [textField(view, "source_branch"), textField(view, "sha")];
  if (known === undefined || branch === "" || !/^[0-9a-f]{40,64}$/.test(head)) return undefined;
  return {
    number: Number(textField(view, "iid")),
    title: lineField(view, "title"),
    body: textField(view, "description"),
    url: lineField(view, "web_url"),
    state: known,
    draft: field(view, "draft") === true || field(view, "work_in_progress") === true,
    branch,
    head,
    headPath: textField(view, "source_project_id"),
    fork: textField(view, "source_project_id") !== textField(view, "target_project_id"),
    comments: commentsOf(discussions).filter(({ text }) => text.trim() !== ""),
    checks: (Array.isArray(jobs) ? jobs : []).map(checkOf),
  };
}
