// Starts a program without a sandbox: own process group, clean environment, private home, and a search for stragglers.
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { CommandRequest } from "../contract/index.ts";
import { withCoveredDescriptors } from "./descriptors.ts";
import { takesInput } from "./input.ts";
import { type Supervised, supervise } from "./supervise.ts";

/** Marks every descendant that keeps its environment, so that one which left the group is still found. */
const markName = "THEHOOD_COMMAND";

interface PlainStart {
  readonly request: CommandRequest;
  readonly env: Readonly<Record<string, string>>;
  readonly name: string;
}

export const privateHome = (tmp: string) => mkdtempSync(join(tmp, "thehood-home-"));
export const dropHome = (home: string) => rmSync(home, { recursive: true, force: true, maxRetries: 3 });

export async function runPlain({ request, env, name }: PlainStart): Promise<Supervised> {
  const [program, ...args] = request.argv;
  const stdin = takesInput(request) ? "pipe" : "ignore";
  const child = withCoveredDescriptors([stdin, "pipe", "pipe"], (stdio) =>
    spawn(program, args, { cwd: request.cwd, env: { ...env, [markName]: name }, stdio, detached: true }),
  );
  const endTree = () => {
    if (child.pid !== undefined) signal(-child.pid);
    for (const pid of marked(name)) signal(pid);
  };
  return supervise(child, request, endTree);
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

/** Linux only; elsewhere the process group is all we can end. */
function marked(name: string): number[] {
  const mark = `${markName}=${name}`;
  return processIds().filter((pid) => {
    try {
      return readFileSync(`/proc/${pid}/environ`, "latin1").split("\0").includes(mark);
    } catch {
      return false;
    }
  });
}

function processIds(): number[] {
  try {
    return readdirSync("/proc")
      .filter((entry) => /^\d+$/.test(entry))
      .map(Number);
  } catch {
    return [];
  }
}
