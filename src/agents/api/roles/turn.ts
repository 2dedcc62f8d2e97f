// One turn: asked, listened to, asked again where nothing of an answer had been taken yet.
import { fail } from "../../../core/contract/index.ts";
import { type ApiRoute, exchange } from "../exchange.ts";
import { readRefusal, refuseReply, withoutKey } from "../failures.ts";
import type { StreamedAnswer } from "../stream.ts";
import type { HttpReply } from "../http.ts";
import type { Form, ModelQuestion } from "./form.ts";

/** More came than the call allows. */
export class Oversize extends Error {
  constructor() {
    super("the answer is larger than allowed");
    this.name = "Oversize";
  }
}

export interface Asking {
  readonly line: ApiRoute;
  readonly form: Form;
  readonly signal: AbortSignal;
  readonly maxBytes: number;
  readonly msLeft: () => number;
  readonly log: (line: string) => void;
  /** The text of this turn so far. */
  readonly onText?: (soFar: string) => void;
  /** Called when a server has taken the question. */
  readonly onBegun: () => void;
  /** How often a broken stream may still be asked for again, over the whole call. */
  readonly restarts: { left: number };
  /** Features this server has refused so far. */
  readonly without: Set<string>;
}

type Unasked = Omit<ModelQuestion, "without">;

export async function takeTurn(asking: Asking, question: Unasked): Promise<StreamedAnswer> {
  for (;;) {
    const answer = await listen(asking, await request(asking, question));
    if (answer.cut === null || answer.end !== null) return answer;
    if (asking.restarts.left === 0)
      return fail("provider_unavailable", `The answer broke off: ${withoutKey(answer.cut, asking.line.key)}.`, {
        remedy: "Try again; if it stays, the connection or the server is at fault.",
        details: { mayHaveBegun: true },
      });
    asking.restarts.left -= 1;
    asking.log(`the answer broke off (${answer.cut}); nothing of it was taken, asking again`);
  }
}

/** Servers differ in the fields they know. A field that one refuses by name is left out, and the question asked again. */
async function request(asking: Asking, question: Unasked): Promise<HttpReply> {
  const { line, form, signal, log, without } = asking;
  for (;;) {
    const reply = await exchange(line, {
      method: "POST",
      path: form.path,
      body: form.body({ ...question, without }),
      signal,
      idleMs: Math.max(1_000, asking.msLeft() + 1_000),
      longestPause: asking.msLeft,
      log,
      accept: [400, 422],
    });
    if (reply.status < 300) {
      asking.onBegun();
      return reply;
    }
    const refusal = readRefusal(reply.status, withoutKey(await reply.text(64 << 10), line.key));
    const feature = Object.entries(form.optional).find(
      ([name, named]) => !without.has(name) && named.test(refusal.message),
    );
    if (!feature) {
      const { host } = new URL(line.baseUrl);
      return refuseReply(refusal, { host, model: line.model, keyName: line.keyName, mayHaveBegun: false });
    }
    without.add(feature[0]);
    log(`the server refuses ${feature[0]} (${refusal.message.slice(0, 200)}); asking without`);
  }
}

async function listen(asking: Asking, reply: HttpReply): Promise<StreamedAnswer> {
  let left = asking.maxBytes;
  const answer = await asking.form.readStream(reply, {
    onText: (soFar) => asking.onText?.(soFar),
    onPiece(characters) {
      left -= characters;
      if (left < 0) throw new Oversize();
    },
  });
  const bytes =
    Buffer.byteLength(answer.text) + answer.uses.reduce((sum, { input }) => sum + Buffer.byteLength(input), 0);
  if (bytes > asking.maxBytes) throw new Oversize();
  return answer;
}
