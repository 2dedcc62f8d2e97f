// How each result of `oracle` is shown: as JSON, or for a person.
import { plainText, type DoctorCheck } from "../../core/contract/index.ts";
import type {
  BrowserReport,
  BrowserStatus,
  ListedSession,
  ModelLine,
  PackedBundle,
  RunResult,
  SessionView,
  SiteCheck,
  SiteDataDraft,
} from "../../core/contract/transport/index.ts";
import type {
  AskOutcome,
  ModelOutcome,
  Cancelled,
  Cleared,
  ListedSessions,
  SeveralOutcomes,
  ShownSession,
  oracleOperations,
} from "../../operations/oracle/index.ts";
import type { Io, Renderer } from "../argv/index.ts";
import type { OracleCall } from "./program.ts";
import { printAnswer, printEnd, printPreview, printVerdict } from "./outcome.ts";

/** One status for several runs: `partial` when some succeeded. */
function severalStatus({ parts }: SeveralOutcomes): "success" | "partial" | "error" {
  const good = parts.filter(
    ({ outcome: one }) => one.kind !== "watched" || one.seen.result?.status === "success",
  ).length;
  return good === parts.length ? "success" : good > 0 ? "partial" : "error";
}

const askOutcome: Renderer<AskOutcome, OracleCall> = {
  json(result, view) {
    if (result.kind !== "several") return modelOutcome.json?.(result, view, 0);
    const models = result.parts.map(({ model, outcome: one }) => ({
      model,
      ...(jsonOf(one, view) as object),
    }));
    return { schemaVersion: 1, status: severalStatus(result), models };
  },
  print(result, view) {
    if (result.kind !== "several") return modelOutcome.print?.(result, view);
    for (const { model, outcome: one } of result.parts) {
      view.io.out(`== ${plainText(model)}\n`);
      void modelOutcome.print?.(one, view);
      view.io.out("\n");
    }
    const status = severalStatus(result);
    if (status === "partial") view.io.err("partial: not every model gave a usable answer, see above\n");
  },
};

const jsonOf = (one: ModelOutcome, view: Parameters<NonNullable<typeof modelOutcome.json>>[1]) => {
  const document = modelOutcome.json?.(one, view, 0);
  return typeof document === "string" ? { text: document } : document;
};

const modelOutcome: Renderer<ModelOutcome, OracleCall> = {
  json(result, { io }) {
    if (result.kind === "preview") return result.preview;
    if (result.kind === "rendered") return `${result.text}\n`;
    if (result.kind === "copied") return { copiedChars: result.chars, by: result.by };
    if (result.kind === "started") {
      const { record, folder } = result.view;
      io.err(`Follow it with: oracle attach ${record.id}\n`);
      return { sessionId: record.id, status: record.status, folder };
    }
    const { seen } = result;
    if (seen.result === null || !("answer" in seen)) return reportOpen(io, seen);
    printEnd(io, seen);
    return seen.result;
  },
  print(result, { io, context }) {
    if (result.kind === "rendered") io.out(`${result.text}\n`);
    else if (result.kind === "copied") reportCopied(io, result);
    else if (result.kind === "preview") {
      if (result.mode === "json") io.out(`${JSON.stringify(result.preview, null, 2)}\n`);
      else printPreview(io, result.preview, result.files);
      if (result.text !== null) io.out(`\n${result.text}\n`);
    } else if (result.kind === "started") {
      io.out(`${result.view.record.id}\n`);
      io.err(`Follow it with: oracle attach ${result.view.record.id}\n`);
    } else if (result.seen.result === null || !("answer" in result.seen)) reportOpen(io, result.seen);
    else {
      printAnswer(io, result.seen, context.stream);
      printEnd(io, result.seen);
    }
  },
};

const reportCopied = (io: Io, { chars, by }: { readonly chars: number; readonly by: string }) =>
  io.err(`${chars} characters are on the clipboard (by ${by}); nothing was sent\n`);

/** A session that has not ended: only its id is printed. */
function reportOpen(io: Io, { record: { id } }: SessionView): string {
  io.err(`Session ${id} goes on. Follow it: oracle attach ${id}   End it: oracle cancel ${id}\n`);
  return "";
}

const summary = ({ id, view, upstream, problem }: ListedSession) => {
  if (upstream !== null) return { id, ...upstream, status: "upstream", upstreamStatus: upstream.status };
  if (view === null) return { id, status: "unreadable", problem };
  const { status, createdAt, endedAt, mode, model, stage, promptPreview } = view.record;
  return { id, status, createdAt, endedAt, mode, model, stage, promptPreview, folder: view.folder };
};

const status: Renderer<ListedSessions> = {
  json: ({ listed }) => listed.map(summary),
  print({ listed, total }, { io }) {
    if (total === 0) io.err("There are no sessions.\n");
    for (const { id, view, upstream, problem } of listed) {
      const state = upstream !== null ? "upstream" : (view?.record.status ?? "unreadable");
      const about =
        upstream !== null
          ? `${upstream.createdAt ?? ""}  of steipete/oracle (${upstream.status ?? "no status"})  ${(upstream.promptPreview ?? "").slice(0, 40)}`
          : view === null
            ? (problem ?? "")
            : `${view.record.createdAt}  ${view.record.promptPreview.slice(0, 60)}`;
      io.out(`${state.padEnd(15)} ${id.padEnd(32)} ${plainText(about)}\n`);
    }
    if (total > listed.length) io.err(`${total - listed.length} older ones: oracle status --all\n`);
  },
};

const session: Renderer<ShownSession> = {
  json: ({ view: { record, result, folder } }) => ({ session: record, result, folder }),
  print({ view: { record, folder }, outcome }, { io }) {
    const lines = [
      `${record.id}: ${record.status} (${record.stage})`,
      `asked ${record.createdAt} in ${record.cwd}, ${record.mode} ${record.model}`,
      `folder ${folder}`,
      `prompt ${record.promptPreview}`,
      "",
    ];
    io.err(lines.map(plainText).join("\n"));
    if (outcome === null) return;
    printAnswer(io, outcome);
    printEnd(io, outcome);
  },
};

const cancel: Renderer<Cancelled> = {
  json: ({ view: { record, result } }) => ({ session: record, result }),
  print: ({ view: { record }, late }, { io }) =>
    io.err(late ? `${record.id} had ended before: ${record.status}\n` : `${record.id}: cancelled\n`),
};

const clear: Renderer<Cleared> = {
  json: (cleared) => cleared,
  print({ removed, wouldRemove }, { io }) {
    const gone = [...removed, ...wouldRemove];
    const word = wouldRemove.length > 0 ? "would remove" : "removed";
    io.err(gone.length === 0 ? `${word} no session\n` : `${word} ${gone.length}: ${gone.join(" ")}\n`);
  },
};

/** In the output of `oracle` a blocker has the state `missing`, and the remedy is part of the detail. */
const doctorLine = ({ name, state, detail, remedy }: DoctorCheck) => ({
  name,
  state: state === "blocker" ? "missing" : state,
  detail: remedy === null ? detail : `${detail}; ${remedy}`,
});

const doctor: Renderer<{ readonly lines: readonly DoctorCheck[] }> = {
  json: ({ lines }) => lines.map(doctorLine),
  print({ lines }, { io }) {
    for (const { name, state, detail } of lines.map(doctorLine))
      io.out(`${state.padEnd(8)} ${name}: ${plainText(detail)}\n`);
  },
};

const models: Renderer<{ readonly lines: readonly ModelLine[] }> = {
  json: ({ lines }) => ({ models: lines }),
  print({ lines }, { io }) {
    for (const { state, name, model, target, detail } of lines) {
      const modelName = name === model || model === "current" ? "" : ` (${model})`;
      io.out(
        `${state.padEnd(9)} ${plainText(name + modelName).padEnd(32)} ${plainText(target)}: ${plainText(detail)}\n`,
      );
    }
  },
};

const counted = (io: Io, { fileCount, bytes, excluded }: PackedBundle) =>
  io.err(`${fileCount} files, ${bytes} bytes, ${excluded.length} left out\n`);

const bundle: Renderer<PackedBundle> = {
  json(packed, { io }) {
    const { text, ...summary } = packed;
    counted(io, packed);
    return { ...summary, ...(text === null ? {} : { text }) };
  },
  print(packed, { io }) {
    io.out(packed.text ?? `${packed.path ?? ""}\n`);
    counted(io, packed);
  },
};

const apply: Renderer<{ readonly result: RunResult; readonly diff: string | null }> = {
  json({ result }, { io }) {
    printVerdict(io, result);
    return result;
  },
  print({ result, diff }, { io }) {
    io.out(diff ?? "");
    printVerdict(io, result);
  },
};

const browserLogin: Renderer<{ readonly site: string }> = {
  json: (result) => result,
  print: ({ site }, { io }) => io.err(`logged in to ${site}; runs can use it now\n`),
};

const browserState: Renderer<BrowserStatus> = {
  json: (state) => state,
  print({ executable, profile, profileExists, loggedIn, running }, { io }) {
    io.out(`browser    ${executable ?? "none found"}\n`);
    io.out(`profile    ${profile}${profileExists ? "" : " (not made yet)"}\n`);
    io.out(`logged in  ${loggedIn.join(", ") || "nowhere; log in with: oracle browser login"}\n`);
    if (running === null) return io.out("running    no\n");
    const { product, mode, pid, tabs, maxTabs, waiting } = running;
    io.out(`running    ${product}, ${mode}, kept by process ${pid}\n`);
    io.out(`tabs       ${tabs.length} of ${maxTabs}, ${waiting} runs wait for one\n`);
    for (const { key, since, state } of tabs) io.out(`  ${state.padEnd(8)} ${plainText(key)} since ${since}\n`);
  },
};

const browserStop: Renderer<{ readonly stopped: boolean }> = {
  json: (result) => result,
  print: ({ stopped }, { io }) => io.err(stopped ? "the browser has ended\n" : "no browser was running\n"),
};

const browserCheck: Renderer<SiteCheck> = {
  json: (check) => check,
  print({ site, version, date, override, parts, model, ok }, { io }) {
    const own = override === null ? "" : `, changed by ${override}`;
    io.out(
      `${site}: data version ${version} of ${date}${own}; the page shows the model ${plainText(model ?? "none")}\n`,
    );
    for (const { name, found, visible, holds, needed } of parts) {
      const state = holds ? (visible ? "ok" : needed ? "hidden" : "not shown") : "MISSING";
      io.out(`${state.padEnd(10)} ${name.padEnd(20)} ${found ?? ""}\n`);
    }
    io.err(ok ? "every part that a new conversation must show is there\n" : "the page has changed\n");
  },
};

const browserReport: Renderer<BrowserReport | SiteDataDraft> = {
  json: (result) => result,
  print(result, { io }) {
    if ("data" in result) return printDraft(result, io);
    const { report, page } = result;
    io.out(`${report}\n`);
    if (page !== null) io.out(`${page}\n`);
    io.err("Read both before you share them.\n");
  },
};

function printDraft({ site, data, changed, missing }: SiteDataDraft, io: Io): void {
  io.out(`${data}\n`);
  const entries = changed.length === 0 ? "no entry needs another selector" : `new selectors for: ${changed.join(", ")}`;
  io.err(`${site}: ${entries}\n`);
  if (missing.length > 0) io.err(`not found, to be filled in by you: ${missing.join(", ")}\n`);
  io.err(`Read it, then use it with ORACLE_BROWSER_DATA=${data}\n`);
}

const silent: Renderer = { json: () => "", print: () => undefined };

type OperationName = (typeof oracleOperations)[number]["name"];

/** The operation without a name is `oracle` itself. */
const renderers: Readonly<Record<OperationName | "", Renderer>> = {
  "": askOutcome,
  attach: askOutcome,
  restart: askOutcome,
  status,
  session,
  cancel,
  clear,
  "browser login": browserLogin,
  "browser status": browserState,
  "browser stop": browserStop,
  "browser check": browserCheck,
  "browser report": browserReport,
  models,
  doctor,
  bundle,
  apply,
  // They print their own output.
  serve: silent,
  mcp: silent,
  "run-session": silent,
};

const byName: Readonly<Record<string, Renderer | undefined>> = renderers;

export const rendererOf = (operation: string): Renderer | undefined => byName[operation];
