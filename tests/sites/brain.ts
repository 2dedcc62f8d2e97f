// The server side of the stand-ins: conversations, uploads, and answers that are written in time, with or without a reader.
import { createHash, randomUUID } from "node:crypto";
import type { Scenario } from "./scenario.ts";
import type { StreamLine, TurnState } from "./pages/shapes.ts";

export interface Upload {
  readonly name: string;
  readonly bytes: number;
  readonly sha256: string;
}

/** A message that reached the server: what tests count. */
export interface Post {
  readonly caseId: string;
  readonly conversation: string;
  readonly prompt: string;
  readonly files: readonly Upload[];
  /** What was chosen in the page when it was sent. */
  readonly mode: string | null;
  readonly model: string | null;
  readonly effort: string | null;
  readonly tool: string | null;
}

export type Chosen = Pick<Post, "mode" | "model" | "effort" | "tool">;

export class Talk {
  readonly id = randomUUID();
  readonly caseId: string;
  turns: TurnState[] = [];
  readonly #listeners = new Set<() => void>();

  constructor(caseId: string) {
    this.caseId = caseId;
  }

  get line(): StreamLine {
    return { conversation: this.id, turns: this.turns };
  }

  get writing(): boolean {
    return this.turns.some(({ state }) => state === "thinking" || state === "preamble" || state === "streaming");
  }

  change(id: string, change: Partial<TurnState>): void {
    this.turns = this.turns.map((turn) => (turn.id === id ? { ...turn, ...change } : turn));
    this.tell();
  }

  tell(): void {
    for (const listener of this.#listeners) listener();
  }

  listen(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}

const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

export class Brain {
  readonly posts: Post[] = [];
  readonly talks = new Map<string, Talk>();
  readonly replies = new Map<string, (prompt: string) => string>();
  readonly #uploads = new Map<string, Upload>();

  upload(name: string, bytes: Buffer): string {
    const id = randomUUID();
    const sha256 = createHash("sha256").update(bytes).digest("hex");
    this.#uploads.set(id, { name, bytes: bytes.length, sha256 });
    return id;
  }

  send(
    caseId: string,
    conversation: string | null,
    prompt: string,
    uploads: readonly string[],
    scenario: Scenario,
    chosen: Chosen,
  ): Talk {
    const talk = (conversation === null ? undefined : this.talks.get(conversation)) ?? new Talk(caseId);
    this.talks.set(talk.id, talk);
    const files = uploads.flatMap((id) => this.#uploads.get(id) ?? []);
    this.posts.push({ caseId, conversation: talk.id, prompt, files, ...chosen });
    const asked = talk.turns.filter(({ role }) => role === "user").length;
    const turn = (role: "user" | "assistant", text: string, state: TurnState["state"]): TurnState => ({
      id: randomUUID(),
      role,
      text,
      state,
      preamble: null,
      model: role === "assistant" ? (scenario.answeringModel ?? null) : null,
    });
    const answer = turn("assistant", "", "thinking");
    talk.turns = [...talk.turns, turn("user", prompt, "done"), answer];
    const made = this.replies.get(caseId)?.(prompt);
    const text = made ?? scenario.answers[Math.min(asked, scenario.answers.length - 1)] ?? "";
    void write(talk, answer.id, text, scenario);
    return talk;
  }
}

/** Pieces of about equal size; a pause stands before some of them. */
async function write(talk: Talk, id: string, text: string, scenario: Scenario): Promise<void> {
  await wait(scenario.thinkingMs);
  if (scenario.preamble !== null) {
    talk.change(id, { state: "preamble", preamble: scenario.preamble });
    await wait(scenario.chunkMs * 4);
  }
  const size = Math.max(1, Math.ceil(text.length / scenario.chunks));
  for (let at = 0, piece = 0; at < text.length; at += size, piece += 1) {
    talk.change(id, { state: "streaming", text: text.slice(0, at + size) });
    if (piece === Math.floor(scenario.chunks / 2) && scenario.end === "cut") return talk.change(id, { state: "cut" });
    if (piece === Math.floor(scenario.chunks / 2) && scenario.end === "banner")
      return talk.change(id, { state: "error" });
    await wait(scenario.pauses[piece] ?? scenario.chunkMs);
  }
  talk.change(id, { state: "done", text });
}
