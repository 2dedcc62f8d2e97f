// Tells one process from every other that ever had its number: pid, start time, machine, boot.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { hostname } from "node:os";
import process from "node:process";
import type { ProcessIdentity } from "../../contract/transport/index.ts";

function readOrEmpty(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}

const boot = () =>
  process.platform === "linux" ? readOrEmpty("/proc/sys/kernel/random/boot_id").trim() : "";

/** Empty when there is no such process; a zombie has ended. */
function startOf(pid: number): string {
  if (process.platform === "linux") {
    // The second field is the program's name in parentheses and may itself hold blanks and parentheses.
    const stat = readOrEmpty(`/proc/${pid}/stat`);
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return stat === "" || fields[0] === "Z" || fields[0] === "X" ? "" : (fields[19] ?? "");
  }
  const listed = spawnSync("ps", ["-o", "lstart=", "-p", String(pid)], { encoding: "utf8" });
  return listed.status === 0 ? listed.stdout.trim() : "";
}

export function identityOf(pid: number = process.pid): ProcessIdentity | undefined {
  const startedAt = startOf(pid);
  return startedAt === "" ? undefined : { pid, startedAt, host: hostname(), boot: boot() };
}

export type Life = "alive" | "dead" | "elsewhere";

export function lifeOf(identity: ProcessIdentity): Life {
  if (identity.host !== hostname()) return "elsewhere";
  if (identity.boot !== boot()) return "dead";
  return startOf(identity.pid) === identity.startedAt ? "alive" : "dead";
}
