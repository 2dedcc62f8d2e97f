// Starts a program without a sandbox: own process group, clean environment, private home, and marks by which everything
// that descends from it is found and ended.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { CommandRequest } from "../../core/contract/index.ts";
import { createProcessMark, processesWithMark, type Mark } from "../system/index.ts";
import { withCoveredDescriptors } from "./descriptors.ts";
import { takesInput, type Supervised, supervise } from "./supervise.ts";

interface PlainStart {
  readonly request: CommandRequest;
  readonly env: Readonly<Record<string, string>>;
  readonly name: string;
  /** Gives the program a mark that it cannot drop; not every system has it. */
  readonly prlimit: string | undefined;
}

export const privateHome = (tmp: string) => mkdtempSync(join(tmp, "thehood-home-"));
export const dropHome = (home: string) => rmSync(home, { recursive: true, force: true, maxRetries: 3 });

export async function runPlain({ request, env, name, prlimit }: PlainStart): Promise<Supervised> {
  const mark = createProcessMark(name);
  const words =
    prlimit === undefined ? request.argv : ([prlimit, `--locks=${mark.locks}`, "--", ...request.argv] as const);
  const [program, ...args] = words;
  const stdin = takesInput(request) ? "pipe" : "ignore";
  const child = withCoveredDescriptors([stdin, "pipe", "pipe"], (stdio) =>
    spawn(program, args, { cwd: request.cwd, env: { ...env, ...mark.env }, stdio, detached: true }),
  );
  const endTree = () => {
    if (child.pid !== undefined) signal(-child.pid);
    endMarked(mark);
  };
  return supervise(child, request, endTree);
}

const mostRounds = 20;

/** Once more while any is found: one that was just being started may have been missed. */
function endMarked(mark: Mark): void {
  for (let round = 0; round < mostRounds; round += 1) {
    const found = processesWithMark(mark);
    if (found.length === 0) return;
    for (const pid of found) signal(pid);
  }
}

function signal(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    // Already gone, or it became another user's process, which we may not end.
    if (code !== "ESRCH" && code !== "EPERM") throw error;
  }
}
