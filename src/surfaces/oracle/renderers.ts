// How each result of `oracle` is shown: as JSON, or for a person.
import { plain } from "../../contract/index.ts";
import type {
  DoctorLine,
  Listed,
  PackedBundle,
  RunResult,
  SessionView,
} from "../../contract/transport/index.ts";
import type {
  Asked,
  Cancelled,
  Cleared,
  ListedSessions,
  ShownSession,
} from "../../operations/oracle/index.ts";
import type { Io, Renderer } from "../argv/index.ts";
import { printAnswer, printEnd, printVerdict } from "./outcome.ts";
import { printPreview } from "./preview.ts";

const asked: Renderer<Asked> = {
  json(result, { io }) {
    if (result.kind === "preview") return result.preview;
    if (result.kind === "rendered") return `${result.text}\n`;
    if (result.kind === "started") {
      const { record, folder } = result.view;
      io.err(`Follow it with: oracle attach ${record.id}\n`);
      return { sessionId: record.id, status: record.status, folder };
    }
    const { seen } = result;
    if (seen.result === null || !("answer" in seen)) return tellOpen(io, seen);
    printEnd(io, seen);
    return seen.result;
  },
  print(result, { io }) {
    if (result.kind === "rendered") io.out(`${result.text}\n`);
    else if (result.kind === "preview") {
      if (result.mode === "json") io.out(`${JSON.stringify(result.preview, null, 2)}\n`);
      else printPreview(io, result.preview, result.files);
      if (result.text !== null) io.out(`\n${result.text}\n`);
    } else if (result.kind === "started") {
      io.out(`${result.view.record.id}\n`);
      io.err(`Follow it with: oracle attach ${result.view.record.id}\n`);
    } else if (result.seen.result === null || !("answer" in result.seen)) tellOpen(io, result.seen);
    else {
      printAnswer(io, result.seen);
      printEnd(io, result.seen);
    }
  },
};

/** A session that was only watched for a while; there is nothing to print of it yet. */
function tellOpen(io: Io, { record: { id } }: SessionView): string {
  io.err(`Session ${id} goes on. Follow it: oracle attach ${id}   End it: oracle cancel ${id}\n`);
  return "";
}

const summary = ({ id, view, problem }: Listed) => {
  if (view === null) return { id, status: "unreadable", problem };
  const { status, createdAt, endedAt, mode, model, stage, promptPreview } = view.record;
  return { id, status, createdAt, endedAt, mode, model, stage, promptPreview, folder: view.folder };
};

const status: Renderer<ListedSessions> = {
  json: ({ listed }) => listed.map(summary),
  print({ listed, total }, { io }) {
    if (total === 0) io.err("There are no sessions.\n");
    for (const { id, view, problem } of listed) {
      const state = view?.record.status ?? "unreadable";
      const about =
        view === null
          ? (problem ?? "")
          : `${view.record.createdAt}  ${view.record.promptPreview.slice(0, 60)}`;
      io.out(`${state.padEnd(15)} ${id.padEnd(32)} ${plain(about)}\n`);
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
    io.err(lines.map(plain).join("\n"));
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
    io.err(`${word} ${gone.length}: ${gone.join(" ")}\n`);
  },
};

const doctor: Renderer<{ readonly lines: readonly DoctorLine[] }> = {
  json: ({ lines }) => lines,
  print({ lines }, { io }) {
    for (const { name, state, detail } of lines) io.out(`${state.padEnd(8)} ${name}: ${plain(detail)}\n`);
  },
};

const counted = (io: Io, { fileCount, bytes, excluded }: PackedBundle) =>
  io.err(`${fileCount} files, ${bytes} bytes, ${excluded.length} left out\n`);

const bundle: Renderer<PackedBundle> = {
  json(packed, { io }) {
    const { text, ...told } = packed;
    counted(io, packed);
    return { ...told, ...(text === null ? {} : { text }) };
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

const silent: Renderer = { json: () => "", print: () => undefined };

/** By the name of the operation; the one without a name is `oracle` itself. */
export const renderers: Readonly<Record<string, Renderer>> = {
  "": asked,
  attach: asked,
  restart: asked,
  status,
  session,
  cancel,
  clear,
  doctor,
  bundle,
  apply,
  // Both have said everything by themselves.
  mcp: silent,
  "run-session": silent,
};
