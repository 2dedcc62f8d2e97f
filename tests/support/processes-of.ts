// Processes that name a run in their command line (Linux).
import { readdirSync, readFileSync } from "node:fs";
import { systemCode } from "../../src/core/contract/index.ts";

function commandOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8");
  } catch (error) {
    // It ended meanwhile.
    if (systemCode(error) === undefined) throw error;
    return "";
  }
}

export const processesOf = (runId: string): number[] =>
  readdirSync("/proc").flatMap((name) => (/^\d+$/.test(name) && commandOf(name).includes(runId) ? [Number(name)] : []));
