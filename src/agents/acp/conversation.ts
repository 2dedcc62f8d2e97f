// Leads the conversation with an agent that speaks ACP while it runs, and keeps what came of it.
import type { CommandInput, ProviderCall } from "../../core/contract/index.ts";
import type { AgentConversation, AgentReply } from "../cli/index.ts";
import { type Peer, PeerRefusal, createPeer } from "./peer.ts";
import { type Asker, choose, mayDo, permissionRequest, placesIn } from "./permission.ts";
import { AgentProblem, askAgent } from "./session.ts";
import { type Transcript, createTranscript } from "./transcript.ts";

interface Conversed {
  readonly call: ProviderCall;
  readonly cwd: string;
  readonly model: string | null;
  readonly mayEdit: boolean;
  readonly confined: boolean;
  readonly authMethod: string | undefined;
}

const maxLineBytes = 8 * 1024 ** 2;
const maxDenials = 100;

/** The program exited; its exit code and its last output give the reason. */
class Gone extends Error {}

/** It closed its input, or left too much of it unread: perhaps it is on its way out. */
class Deaf extends Error {}

export function createConversation(conversed: Conversed): AgentConversation {
  const { call, cwd, mayEdit, confined } = conversed;
  const transcript = createTranscript(call.maxAnswerBytes);
  const denials: string[] = [];
  let input: CommandInput | undefined;
  let sessionId: string | undefined;
  let cancelled = false;
  let reply: AgentReply = {};
  const peer = createPeer((line) => input?.write(line) || peer.close(new Deaf()), {
    asked: (method, params) =>
      method === "session/request_permission"
        ? permit({ role: call.role, mayEdit, confined, dir: cwd }, transcript, denials, params)
        : undefined,
    notified(method, params) {
      if (method !== "session/update") return;
      transcript.note(params);
      if (transcript.overflowed) peer.close(new AgentProblem("its answer is too long"));
    },
  });
  const lines = createLineCutter(maxLineBytes, peer.receive);
  return {
    async begin(given) {
      input = given;
      const answered = await converse(peer, transcript, { ...conversed, onSession: (id) => (sessionId = id) });
      if (!cancelled) reply = answered;
    },
    onOutput(chunk) {
      if (!lines.push(chunk)) peer.close(new AgentProblem(`it wrote a line of over ${maxLineBytes} bytes`));
    },
    cancel() {
      cancelled = true;
      if (sessionId !== undefined) peer.notify("session/cancel", { sessionId });
    },
    over: () => peer.close(new Gone()),
    reply: () => ({ ...reply, denials }),
  };
}

async function converse(
  peer: Peer,
  transcript: Transcript,
  { call, cwd, model, mayEdit, authMethod, onSession }: Conversed & { onSession(id: string): void },
): Promise<AgentReply> {
  try {
    const request = { cwd, prompt: call.prompt, model, mayEdit, authMethod, onSession };
    const result = await askAgent(peer, request);
    const usage = transcript.usage(result);
    const why = stopReason(result);
    const finished = true;
    return why === "end_turn"
      ? { text: transcript.lastMessage, usage, finished }
      : { usage, finished, problem: `it stopped before its answer was complete (${why})` };
  } catch (error) {
    if (error instanceof Gone) return {};
    if (error instanceof Deaf) return { problem: "it no longer listened" };
    if (transcript.overflowed) return { finished: true, overflowed: true };
    if (error instanceof AgentProblem) return { finished: true, problem: error.message };
    if (error instanceof PeerRefusal) return { finished: true, problem: `it refused: ${error.message}` };
    throw error;
  }
}

function stopReason(result: unknown): string {
  const why = (result as { stopReason?: unknown } | null)?.stopReason;
  return typeof why === "string" ? why.slice(0, 100) : "no reason given";
}

function permit(asker: Asker, transcript: Transcript, denials: string[], params: unknown): object {
  transcript.cut();
  const request = permissionRequest.safeParse(params).data;
  if (!request) return choose(false, []);
  const { toolCall, options } = request;
  const kind = toolCall.kind ?? transcript.kindOf(toolCall.toolCallId) ?? "other";
  // Agents name the places in the question, in an earlier update, or in both: all of them count.
  const [earlier, now] = [transcript.placesOf(toolCall.toolCallId), placesIn(toolCall)];
  const allowed = mayDo(asker, kind, earlier && now ? [...earlier, ...now] : []);
  if (!allowed && denials.length < maxDenials) denials.push(`${kind}: ${(toolCall.title ?? "").slice(0, 200)}`);
  return choose(allowed, options);
}

const newline = 0x0a;

interface LineCutter {
  /** False when a line is too long: from then on nothing more comes of it. */
  push(chunk: Uint8Array): boolean;
}

function createLineCutter(maxBytes: number, take: (line: string) => void): LineCutter {
  let pieces: Uint8Array[] = [];
  let held = 0;
  const hold = (piece: Uint8Array): boolean => {
    pieces.push(piece);
    held += piece.length;
    if (held > maxBytes) pieces = [];
    return held <= maxBytes;
  };
  const flush = () => {
    const line = Buffer.concat(pieces).toString("utf8");
    pieces = [];
    held = 0;
    if (line.trim() !== "") take(line);
  };
  return {
    push(chunk) {
      let from = 0;
      for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, from)) {
        if (!hold(chunk.subarray(from, end))) return false;
        flush();
        from = end + 1;
      }
      return hold(chunk.subarray(from));
    },
  };
}
