// A double of the browser engine: it plays a script instead of driving a page, and misbehaves on request.
import { createHash } from "node:crypto";
import { appendFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { z } from "zod";
import { fail } from "../../src/core/contract/index.ts";
import type {
  Answer,
  Conversation,
  TransportEngine,
  EngineOpening,
  SendHooks,
  EngineMessage,
} from "../../src/core/contract/transport/index.ts";

const stepSchema = z.strictObject({
  answer: z.string().default(""),
  html: z.string().nullable().default(null),
  complete: z.boolean().default(true),
  incompleteReason: z.string().nullable().default(null),
  captureSource: z.string().default("double"),
  /** Time before the answer is there; half of it has come by then. */
  pauseMs: z.number().default(0),
  /** Answers when this file is there. */
  until: z.string().optional(),
  /** Never answers; ends when it is stopped. */
  hang: z.boolean().default(false),
  /** Never answers and does not listen either. */
  deaf: z.boolean().default(false),
  /** The page dies. */
  crash: z.string().optional(),
  /** The driver itself has a bug. */
  bug: z.string().optional(),
  /** An error that nobody awaits. */
  stray: z.string().optional(),
  /** The whole process is gone. */
  exit: z.number().optional(),
  snapshots: z.array(z.string()).default([]),
});
const scriptSchema = z.strictObject({
  /** Where it writes down, one JSON line each, what it was asked to do. */
  record: z.string(),
  checkFails: z.string().optional(),
  deafClose: z.boolean().default(false),
  turns: z.array(stepSchema),
});
type Script = z.infer<typeof scriptSchema>;
type Step = z.infer<typeof stepSchema>;

export function scriptedPage(scriptPath: string): TransportEngine {
  const script = scriptSchema.parse(JSON.parse(readFileSync(scriptPath, "utf8")));
  return {
    kind: "browser",
    async check() {
      if (script.checkFails !== undefined) fail("provider_unavailable", script.checkFails);
    },
    open: async (opening) => new DoubleConversation(script, opening),
  };
}

class DoubleConversation implements Conversation {
  readonly #script: Script;
  readonly #opening: EngineOpening;
  #turn = 0;

  constructor(script: Script, opening: EngineOpening) {
    this.#script = script;
    this.#opening = opening;
    this.#record({ open: opening.browser?.url, site: opening.browser?.site, model: opening.model });
  }

  #record(entry: object): void {
    appendFileSync(this.#script.record, `${JSON.stringify(entry)}\n`);
  }

  async send(turn: EngineMessage, hooks: SendHooks): Promise<Answer> {
    const step = this.#script.turns[this.#turn];
    this.#turn += 1;
    this.#record({ turn: this.#turn, prompt: turn.prompt, attachments: turn.attachments.map(describe) });
    if (!step) return fail("provider_unavailable", "The double's script has no more turns.");
    await hooks.onRef({
      provider: "browser",
      ...(this.#opening.browser ? { url: this.#opening.browser.url } : {}),
    });
    hooks.onText(step.answer.slice(0, Math.ceil(step.answer.length / 2)));
    await misbehave(step, hooks.signal);
    if (step.pauseMs > 0) await pause(step.pauseMs, hooks.signal);
    while (step.until !== undefined && !existsSync(step.until)) await pause(20, hooks.signal);
    hooks.onText(step.answer);
    return {
      text: step.answer,
      html: step.html,
      complete: step.complete,
      incompleteReason: step.incompleteReason,
      usage: null,
      model: null,
      captureSource: step.captureSource,
      snapshots: this.#snapshots(step),
    };
  }

  #snapshots(step: Step): string[] {
    const folder = this.#opening.browser?.folder ?? "";
    return step.snapshots.map((html, index) => {
      const path = join(folder, `snapshot-${String(index + 1).padStart(3, "0")}.html`);
      writeFileSync(path, html, { mode: 0o600 });
      return path;
    });
  }

  async close(): Promise<void> {
    this.#record({ closed: true });
    if (this.#script.deafClose) await new Promise(() => undefined);
  }
}

async function misbehave(step: Step, signal: AbortSignal): Promise<void> {
  if (step.exit !== undefined) process.exit(step.exit);
  if (step.crash !== undefined) fail("provider_unavailable", step.crash, { remedy: "Try again." });
  if (step.bug !== undefined) throw new TypeError(step.bug);
  if (step.stray !== undefined) {
    const stray = new Error(step.stray);
    setTimeout(() => {
      throw stray;
    }, 10);
    await pause(60_000, signal);
  }
  if (step.hang) await pause(3_600_000, signal);
  if (step.deaf) await pause(3_600_000, new AbortController().signal);
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(new Error("stopped"));
    };
    const timer = setTimeout(resolve, ms);
    if (signal.aborted) stop();
    else signal.addEventListener("abort", stop, { once: true });
  });
}

function describe(attachment: EngineMessage["attachments"][number]): object {
  const there = existsSync(attachment.path);
  const sha256 = there ? createHash("sha256").update(readFileSync(attachment.path)).digest("hex") : null;
  return { ...attachment, there, sha256 };
}
