// The history of a box's workspace: the change of a session is read against the state that it started with.
import { places } from "../rules/index.ts";
import { mustRun } from "./exec-files.ts";
import type { Box } from "./port.ts";

/** A first commit where there is none, and a name for the state that the session started with. */
export async function beginHistory(box: Pick<Box, "exec">): Promise<void> {
  const commit = "git -c user.name=box -c user.email=box@localhost -c core.hooksPath=/dev/null";
  const script = [
    'set -e; cd "$1"; git --version > /dev/null 2>&1 || exit 0',
    `[ -d .git ] || { git init -q -b main --template=; git add -A; ${commit} commit -q --allow-empty -m start; }`,
    `git rev-parse -q --verify HEAD > /dev/null || ${commit} commit -q --allow-empty -m start`,
    `base=$(git rev-parse HEAD); if [ -n "$(git status --porcelain)" ]; then export GIT_INDEX_FILE=/tmp/.thehood-base; git read-tree HEAD; git -c core.hooksPath=/dev/null add -A; base=$(${commit} commit-tree "$(git write-tree)" -p HEAD -m start); fi`,
    'git update-ref refs/thehood/base "$base"',
  ].join("; ");
  await mustRun(box.exec, ["sh", "-c", script, "sh", places.workspace], { cwd: "/", timeoutMs: 120_000 });
}
