// A run whose worker has written a file and goes on working, until somebody stops it.
import { setTimeout as sleep } from "node:timers/promises";
import { openTestDesk, stub, type Desk } from "./program.ts";

interface Status {
  readonly state: string;
  readonly monitor: { readonly phase: string; readonly doing: string };
}

const hour = 600_000;
const first = { edits: [{ op: "write", path: "NOTES.md", text: "half done\n" }], restMs: hour };
const second = { edits: [{ op: "replace", path: "src/add.js", find: "a - b", with: "a + b" }] };
const script = { roles: { implementer: [first, second] } };

const shown = (desk: Desk, runId: string) => desk.thehood(["status", runId, "--json"]).json<Status>();

export async function until(desk: Desk, runId: string, holds: (status: Status) => boolean): Promise<void> {
  while (!holds(shown(desk, runId))) await sleep(250);
}

export async function atWork(): Promise<{ desk: Desk; runId: string }> {
  const desk = openTestDesk();
  const args = ["run", "fix add", "--detach", "--team", "stub", "--approvals", "autopilot", "--json", ...stub(script)];
  const { runId } = desk.thehood(args).json<{ runId: string }>();
  await until(
    desk,
    runId,
    ({ monitor: { phase, doing } }) => phase === "provider_wait" && doing.includes("as implementer"),
  );
  return { desk, runId };
}
