// The folder that the public preview kept in a checkout, read without following a link: its configuration and its runs.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fail, isRecord, parseJson } from "../../../core/contract/index.ts";
import type { PreviewRun } from "../../../core/contract/setup/index.ts";
import { redact } from "../../../core/secrets/index.ts";
import { previewConfigIn } from "../../../platform/config/index.ts";
import { entryAt, systemCode } from "../../../platform/system/index.ts";

const previewRunId = /^run_[0-9A-Za-z-]{1,64}$/;
const largestRecord = 16 << 20;
const mostListed = 500;

export interface PreviewFolder {
  readonly folder: string;
  /** Undefined when no configuration of the preview is there. */
  readonly config: unknown;
  readonly runs: readonly string[];
}

/** The names of the preview's runs in a folder; other names are not its own. */
export function runNames(folder: string): string[] {
  if (entryAt(folder)?.isDirectory() !== true) return [];
  try {
    return readdirSync(folder).filter(
      (name) => previewRunId.test(name) && entryAt(join(folder, name))?.isDirectory() === true,
    );
  } catch (error) {
    if (systemCode(error) === "ENOENT") return [];
    return fail("unsafe_repository", `${folder} cannot be read (${systemCode(error) ?? "unknown"}).`, {
      remedy: "Make it readable for you, or remove it; nothing was changed.",
    });
  }
}

/** Undefined when the folder holds nothing of the preview. */
export function previewFolderAt(folder: string): PreviewFolder | undefined {
  const file = join(folder, "config.json");
  const config = entryAt(file)?.isFile() === true ? previewConfigIn(file) : undefined;
  const runs = runNames(join(folder, "runs"));
  return config === undefined && runs.length === 0 ? undefined : { folder, config, runs };
}

const unread = (runId: string, record: string, problem: string): PreviewRun => ({
  runId,
  goal: "",
  mode: "",
  state: "",
  createdAt: "",
  updatedAt: "",
  artifacts: 0,
  record,
  problem,
});

function readRun(folder: string, runId: string): PreviewRun {
  const record = join(folder, "runs", runId, "run.json");
  const found = entryAt(record);
  if (!found) return unread(runId, record, "it has no record");
  if (!found.isFile()) return unread(runId, record, "its record is not a plain file");
  if (found.size > largestRecord) return unread(runId, record, `its record has ${found.size} bytes`);
  let bytes: string;
  try {
    bytes = readFileSync(record, "utf8");
  } catch (error) {
    return unread(runId, record, `its record cannot be read (${systemCode(error) ?? "unknown"})`);
  }
  const run = parseJson(bytes);
  if (!isRecord(run)) return unread(runId, record, "its record is damaged");
  const text = (key: string, most: number) => {
    const value = run[key];
    return typeof value === "string" ? redact(value).text.slice(0, most) : "";
  };
  const { artifacts } = run;
  return {
    runId,
    goal: text("userGoal", 500),
    mode: text("mode", 40),
    state: text("state", 40),
    createdAt: text("createdAt", 40),
    updatedAt: text("updatedAt", 40),
    artifacts: Array.isArray(artifacts) ? artifacts.length : 0,
    record,
    problem: run["runId"] === runId ? null : "its record names another run",
  };
}

/** The runs of some folders, newest first, and how many more there are. */
export function readRuns(folders: readonly PreviewFolder[]): { runs: PreviewRun[]; more: number } {
  const all = folders.flatMap(({ folder, runs }) => runs.map((runId) => ({ folder, runId })));
  const runs = all.slice(0, mostListed).map(({ folder, runId }) => readRun(folder, runId));
  return {
    runs: runs.toSorted((a, b) => (a.createdAt < b.createdAt ? 1 : a.createdAt > b.createdAt ? -1 : 0)),
    more: Math.max(0, all.length - mostListed),
  };
}
