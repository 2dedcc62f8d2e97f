// Commands that read what a run left: its views, events, change, artifacts and report.
import { isUtf8 } from "node:buffer";
import { exitCodes, fail, plainText } from "../../../contract/index.ts";
import { attended } from "../../../operations/runs/index.ts";
import { countOf, wholeNumber } from "../numbers.ts";
import type { CommandBody } from "../spec.ts";
import { createStyle } from "../style.ts";
import { eventLine } from "./event-line.ts";
import { reportText } from "./finish.ts";
import { patchText } from "./gate-detail.ts";
import { showText } from "./show-text.ts";

export const show: CommandBody = {
  async run(call) {
    await using desk = await call.given.runs(call.repo);
    const runId = await desk.find(call.words["run"]);
    const view = await attended(desk, runId, () => desk.full(runId));
    call.io.out(
      call.json
        ? call.jsonLine({ ok: true, ...view })
        : showText(view, createStyle(call.io.color), call.spell, call.verbose),
    );
    return exitCodes.ok;
  },
};

export const logs: CommandBody = {
  async run(call) {
    await using desk = await call.given.runs(call.repo);
    const runId = await desk.find(call.words["run"]);
    const events = await desk.events(runId, wholeNumber(call.flags, "from"));
    if (call.json) {
      call.io.out(`${JSON.stringify({ schemaVersion: 1, ok: true, runId, events })}\n`);
      return exitCodes.ok;
    }
    const style = createStyle(call.io.color);
    for (const stored of events) {
      const time = style.dim(new Date(stored.at).toISOString().slice(11, 19));
      call.io.out(`${time} ${eventLine(stored, style, true) ?? ""}\n`);
    }
    return exitCodes.ok;
  },
};

export const diff: CommandBody = {
  async run(call) {
    await using desk = await call.given.runs(call.repo);
    const runId = await desk.find(call.words["run"]);
    const captured = (await desk.events(runId)).findLast(
      ({ event }) => event.type === "isolated_patch_captured" && event.patch !== null,
    );
    if (captured?.event.type !== "isolated_patch_captured" || !captured.event.patch)
      fail("not_found", `Run ${runId} captured no change.`, {
        remedy: `Look at what it did: thehood logs ${runId}`,
      });
    const { bytes } = await desk.artifact(runId, captured.event.patch.full.ref);
    if (call.json) {
      const { patch } = captured.event;
      call.io.out(
        `${JSON.stringify({ schemaVersion: 1, ok: true, runId, ref: patch.full.ref, sha256: patch.full.ref.slice(7), changedPaths: patch.changedPaths, patch: Buffer.from(bytes).toString("base64"), encoding: "base64" })}\n`,
      );
    } else if (call.io.terminal) call.io.out(patchText(bytes, createStyle(call.io.color)));
    else call.io.bytes(bytes);
    return exitCodes.ok;
  },
};

/** As text where it is text; bytes that are none would be lost in it. */
const contentOf = (bytes: Uint8Array) => {
  const whole = Buffer.from(bytes);
  return isUtf8(whole)
    ? { encoding: "utf8", content: whole.toString("utf8") }
    : { encoding: "base64", content: whole.toString("base64") };
};

export const artifact: CommandBody = {
  async run(call) {
    await using desk = await call.given.runs(call.repo);
    const runId = await desk.find(call.words["run"]);
    const found = await desk.artifact(runId, call.words["ref"] ?? "", {
      offset: countOf(call.flags, "offset"),
      max: wholeNumber(call.flags, "max-bytes"),
    });
    if (call.json)
      call.io.out(
        `${JSON.stringify({ schemaVersion: 1, ok: true, ref: found.ref, kind: found.kind, mediaType: found.mediaType, total: found.total, truncated: found.bytes.length < found.total, ...contentOf(found.bytes) })}\n`,
      );
    else if (call.io.terminal) call.io.out(plainText(Buffer.from(found.bytes).toString("utf8")));
    else call.io.bytes(found.bytes);
    return exitCodes.ok;
  },
};

export const report: CommandBody = {
  async run(call) {
    await using desk = await call.given.runs(call.repo);
    const runId = await desk.find(call.words["run"]);
    const written = await desk.report(runId);
    if (!written)
      fail("not_found", `Run ${runId} has no final report: it is ${(await desk.status(runId)).state}.`, {
        remedy: `Run: thehood status ${runId}`,
      });
    if (call.json)
      call.io.out(new TextDecoder().decode((await desk.artifact(runId, written.report.ref)).bytes));
    else call.io.out(await reportText(desk, runId, createStyle(call.io.color)));
    return exitCodes.ok;
  },
};
