// The traces of a run: its views, events, change, artifacts and report.
import { isUtf8 } from "node:buffer";
import { type Activity, plainText, type RunEvent, type StoredEvent } from "../../../core/contract/index.ts";
import type { ArtifactSlice, FullView, RunWait } from "../../../operations/index.ts";
import { withProcessState, type FailingCheck, reportText, type Watched } from "../../../operations/run-data/index.ts";
import { eventLine, patchText } from "./lines.ts";
import { briefShow } from "./show-brief.ts";
import { showText } from "./show-text.ts";
import { renders } from "./view.ts";

interface Shown {
  readonly idle: boolean;
  readonly working: boolean;
  readonly waits: RunWait | null;
  readonly view: FullView;
  readonly activities: readonly Activity[];
  readonly failing: readonly FailingCheck[];
}

export const show = renders<Shown>({
  json: (shown) => ({
    ok: true,
    ...withProcessState(shown.view, shown),
    activities: shown.activities,
    failing: shown.failing,
  }),
  print: (shown, { io, style, spell, verbose }) =>
    io.out(
      (verbose ? showText : briefShow)({
        view: withProcessState(shown.view, shown),
        style,
        spell,
        activities: shown.activities,
        failing: shown.failing,
      }),
    ),
});

type Logged = { readonly events: readonly StoredEvent<RunEvent>[] } | AsyncIterable<Watched>;

async function* loggedOf(result: Logged): AsyncGenerator<StoredEvent<RunEvent>> {
  if ("events" in result) return yield* result.events;
  for await (const { stored } of result) if (stored) yield stored;
}

export const logs = renders<Logged>({
  async print(result, { io, style, json }) {
    for await (const stored of loggedOf(result)) {
      const time = style.dim(new Date(stored.at).toISOString().slice(11, 19));
      const line = json ? JSON.stringify(stored) : `${time} ${eventLine(stored, style, true) ?? ""}`;
      io.out(`${line}\n`);
    }
  },
});

interface Diff {
  readonly bytes: Uint8Array;
}

export const diff = renders<Diff>({
  json: ({ bytes, ...rest }) => ({
    schemaVersion: 1,
    ok: true,
    ...rest,
    patch: Buffer.from(bytes).toString("base64"),
    encoding: "base64",
  }),
  print: ({ bytes }, { io, style }) => (io.terminal ? io.out(patchText(bytes, style)) : io.bytes(bytes)),
});

/** As text where it is text; other bytes would be lost in it. */
const contentOf = (bytes: Uint8Array) => {
  const whole = Buffer.from(bytes);
  return isUtf8(whole)
    ? { encoding: "utf8", content: whole.toString("utf8") }
    : { encoding: "base64", content: whole.toString("base64") };
};

export const artifact = renders<ArtifactSlice>({
  json: ({ bytes, ref, kind, mediaType, total }) => ({
    schemaVersion: 1,
    ok: true,
    ref,
    kind,
    mediaType,
    total,
    truncated: bytes.length < total,
    ...contentOf(bytes),
  }),
  print: ({ bytes }, { io }) =>
    io.terminal ? io.out(plainText(Buffer.from(bytes).toString("utf8"))) : io.bytes(bytes),
});

type Reported =
  | { readonly runId: string; readonly report: string }
  | { readonly runId: string; readonly page: { readonly file: string; readonly bytes: number } };

export const report = renders<Reported>({
  json: (written) =>
    "page" in written
      ? { schemaVersion: 1, ok: true, ...written }
      : { ok: true, ...(JSON.parse(written.report) as object) },
  async print(written, { io, context }) {
    if ("page" in written) return io.out(`${written.page.file}\n`);
    await using runs = await context.ports.runs(context.folder);
    return io.out(await reportText(runs, written.runId));
  },
});
