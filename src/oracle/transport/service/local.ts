// The parts of a run that need no model: packing files, and the diff pipeline on a saved answer.
import { existsSync, readFileSync, rmSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { fail } from "../../../core/contract/index.ts";
import {
  plainAnswer,
  type PackedBundle,
  type ResolvedRequest,
  type RunResult,
  type SessionWatch,
} from "../../../core/contract/transport/index.ts";
import { entryAt } from "../../../platform/system/index.ts";
import { applyAnswerDiff, judgeAnswer } from "../diff/pipeline.ts";
import { ResultBuilder } from "../result/draft.ts";
import { isOutputRefusal, prepareOutputs, probe } from "../outputs.ts";
import type { PreparedBundle, OracleRunDeps } from "../ports.ts";
import { refuseApprovals } from "../run/approvals.ts";
import { leftOut, namedRemedy } from "../run/message.ts";
import { RunDeadline } from "../run/deadline.ts";
import { writeAtomic, writeJson } from "../sessions/atomic-file.ts";
import { sessionFolder, slugPattern } from "../sessions/folder.ts";
import { loadRecord } from "../sessions/record.ts";
import { refuseUpstream } from "../sessions/upstream.ts";
import { namedText } from "./named-text.ts";

export async function pack(
  deps: OracleRunDeps,
  { request }: ResolvedRequest,
  output: string | null,
): Promise<PackedBundle> {
  const [attachment] = request.files.attachments;
  if (attachment !== undefined)
    return fail("invalid_input", `${attachment} is attached to a message and cannot be part of a bundle.`, {
      remedy: "Leave it out here; a run takes it as it is.",
    });
  const bundle = await deps.bundle(request);
  const { format } = bundle.report;
  refuseMissed(bundle);
  refuseEmpty(bundle);
  if (format === "text") {
    const text = (await bundle.text()) ?? "";
    refuseMissed(bundle);
    const summary = summaryOf(bundle);
    if (output === null) return { ...summary, path: null, text };
    const path = newFile(resolve(request.cwd, output));
    writeAtomic(path, text);
    return { ...summary, path, text: null };
  }
  const path = newFile(resolve(request.cwd, output ?? "oracle-context-package.zip"));
  const { bytes } = await bundle.zip(path);
  try {
    refuseMissed(bundle);
  } catch (error) {
    rmSync(path, { force: true });
    throw error;
  }
  return { ...summaryOf(bundle), path, text: null, bytes };
}

/** A bundle takes the place of nothing: what is there may be the user's work, a folder or a device. */
function newFile(path: string): string {
  if (entryAt(path) !== undefined)
    return fail("invalid_input", `${path} exists already.`, {
      remedy: "Remove it, or name another path with --output.",
    });
  probe(path, "--output");
  return path;
}

/** Read after writing: a file that changed meanwhile is left out. */
function summaryOf({ report }: PreparedBundle) {
  const { format, fileCount, excluded, totalBytes } = report;
  return { format, fileCount, excluded, bytes: totalBytes };
}

/** Checked again after writing: a named file may have changed meanwhile. */
function refuseMissed(bundle: PreparedBundle): void {
  const missed = leftOut(bundle);
  if (missed.length > 0)
    fail("invalid_input", `${missed.join(" ").replaceAll(" is not sent", " is left out")} Nothing was written.`, {
      remedy: namedRemedy,
    });
}

function refuseEmpty({ report }: PreparedBundle): void {
  if (report.fileCount === 0)
    fail("invalid_input", "No file is left to put into the bundle.", {
      remedy: emptyRemedy(report.excluded),
    });
}

/** The first three reasons why files were left out. */
function emptyRemedy(excluded: PackedBundle["excluded"]): string {
  const some = excluded.slice(0, 3).map(({ path, reason }) => `${path} (${reason})`);
  return some.length === 0
    ? "Name files or folders with --file."
    : `Left out: ${some.join(", ")}. Name other files with --file.`;
}

/** A file takes precedence over a session of the same name. A byte that is no UTF-8 matters only where the diff has it. */
export async function savedAnswer(deps: OracleRunDeps, cwd: string, from: string): Promise<string> {
  const path = resolve(cwd, from);
  const remedy = "Name a text file with an answer, or a session.";
  if (existsSync(path) && statSync(path).isFile()) return await namedText(path, from, remedy, false);
  if (slugPattern.test(from)) {
    const folder = sessionFolder(deps.home, from);
    if (existsSync(folder.answer)) return readFileSync(folder.answer, "utf8");
    if (loadRecord(folder).kind !== "ok") refuseUpstream(folder);
  }
  return fail("not_found", `"${from}" is neither a file nor a session with an answer.`, {
    remedy: "List sessions with: oracle status",
  });
}

export async function applyAnswer(
  deps: OracleRunDeps,
  text: string,
  { request, warnings }: ResolvedRequest,
  watch: SessionWatch,
): Promise<{ result: RunResult; diff: string | null }> {
  refuseApprovals(deps, request);
  const draft = new ResultBuilder({ ...request, prompt: "" }, null, deps.now);
  draft.set({ engine: null, model: null });
  for (const warning of warnings) draft.warn(warning);
  const stop = new RunDeadline(request.timeoutMs, watch.signal);
  let patch: Uint8Array | null = null;
  let outputs = true;
  try {
    prepareOutputs(request.outputs);
    const outputPaths = Object.values(request.outputs).filter((path) => path !== null);
    const plan = await deps.git.preflight(request, outputPaths);
    const work = {
      request: { ...request, diff: { ...request.diff, active: true } },
      plan,
      draft,
      signal: stop.signal,
      countSecrets: (added: string) => deps.countSecrets(added),
    };
    draft.set({ responseChars: text.length, captureSource: "saved" });
    const judged = await judgeAnswer(plainAnswer(text, "saved"), work);
    patch = judged.patch;
    const { diff: path } = request.outputs;
    await applyAnswerDiff(judged, { ...work, path, enter: () => undefined, log: watch.onLine });
  } catch (error) {
    outputs = !isOutputRefusal(error);
    draft.fail(error);
  } finally {
    stop.dispose();
  }
  const { result } = draft.close((text) => deps.redact(text).text);
  if (outputs && request.outputs.json !== null) writeJson(request.outputs.json, result);
  return { result, diff: patch === null ? null : Buffer.from(patch).toString("utf8") };
}
