// The work of a session as a patch: everything in the workspace against the commit it started with.
import { mustRun, type Box } from "../sandboxes/index.ts";
import { places } from "../rules/index.ts";

const mostBytes = 32 << 20;
/** Ours, and never part of a change. */
const ours = [".opencode", ".proliferate", "opencode.json"];

/** An own index, so that the agent's own staging stays as it is. */
const script =
  'set -e; cd "$1"; shift; export GIT_INDEX_FILE=/tmp/.thehood-index; rm -f "$GIT_INDEX_FILE"; git read-tree HEAD; git -c core.hooksPath=/dev/null add -A; exec git -c core.hooksPath=/dev/null diff --cached --binary --full-index --no-ext-diff --no-textconv --no-color refs/thehood/base -- . "$@"';

export async function workspaceDiff(box: Box): Promise<string> {
  const excluded = ours.map((name) => `:(exclude,top)${name}`);
  const { stdout } = await mustRun(box.exec, ["sh", "-c", script, "sh", places.workspace, ...excluded], {
    cwd: "/",
    timeoutMs: 120_000,
    maxBytes: mostBytes,
  });
  return stdout.toString("utf8");
}
