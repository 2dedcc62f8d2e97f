// What every page does behind its elements: it uploads, sends, reads the answer as it is written, and says what changed.
import type { PageStart, StreamLine, TurnState } from "../../sites/pages/shapes.ts";
import type { PublicScenario } from "../scenario.ts";

export interface Attachment {
  readonly name: string;
  readonly shown: string | null;
  readonly ready: boolean;
  readonly id: string | null;
}

export type Start = PageStart & { readonly scenario: PublicScenario };

const shownName = (name: string, chip: PublicScenario["chip"]): string | null => {
  const dot = name.lastIndexOf(".");
  const [stem, end] = dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, ""];
  if (chip === "numbered") return `${stem}(1)${end}`;
  if (chip === "ellipsis" && stem.length > 8) return `${stem.slice(0, 4)}…${stem.slice(-4)}${end}`;
  return chip === "nameless" ? null : name;
};

export class Chat {
  readonly scenario: PublicScenario;
  readonly caseId: string;
  turns: readonly TurnState[];
  conversation: string | null;
  attachments: readonly Attachment[] = [];
  notice: string | null = null;
  dialog: string | null = null;
  busy = false;
  /** What the page's menus have chosen. */
  chosen: { model: string; effort: string };
  tool: string | null = null;
  #presses = 0;
  #reader: AbortController | null = null;
  readonly #listeners: (() => void)[] = [];

  constructor(start: Start) {
    this.scenario = start.scenario;
    this.caseId = start.caseId;
    this.turns = start.turns;
    this.chosen = { model: start.scenario.model, effort: start.scenario.effort };
    this.conversation = start.conversation;
  }

  onChange(listener: () => void): void {
    this.#listeners.push(listener);
  }

  changed(): void {
    for (const listener of this.#listeners) listener();
  }

  get uploading(): boolean {
    return this.attachments.some(({ ready }) => !ready);
  }

  /** An answer that was being written when the page was opened goes on. */
  resume(): void {
    if (this.conversation !== null && this.turns.some(({ state }) => writing(state)))
      void this.#read(fetch(`/standin/stream?conversation=${this.conversation}`));
  }

  async attach(files: readonly File[]): Promise<void> {
    for (const file of files) await this.#attachOne(file);
  }

  detach(name: string): void {
    this.attachments = this.attachments.filter((one) => one.name !== name);
    this.changed();
  }

  async #attachOne(file: File): Promise<void> {
    const { chip } = this.scenario;
    const attachment = { name: file.name, shown: shownName(file.name, chip), ready: chip === "early", id: null };
    this.attachments = [...this.attachments, attachment];
    this.changed();
    const address = `/standin/upload?case=${this.caseId}&name=${encodeURIComponent(file.name)}`;
    const response = await fetch(address, { method: "POST", body: await file.arrayBuffer() });
    if (!response.ok) {
      this.detach(file.name);
      this.notice = this.scenario.upload === "toast" ? `Unable to upload ${file.name}` : this.notice;
      return this.changed();
    }
    const id = await response.text();
    this.attachments = this.attachments.map((one) => (one.name === file.name ? { ...one, ready: true, id } : one));
    this.changed();
    if (chip === "vanishes") setTimeout(() => this.detach(file.name), 150);
  }

  /** One press of the send button. False: the page took no notice of it. The place says what else than a chat gets it. */
  press(text: string, place: "" | "work:" | "agent:" = ""): boolean {
    this.#presses += 1;
    if (this.busy || text.trim() === "" || this.uploading) return false;
    if (this.#presses <= this.scenario.swallowedPresses) return false;
    this.#send(text, place);
    return true;
  }

  #send(text: string, place: string): void {
    const prompt = this.scenario.cutPromptAt === null ? text : text.slice(0, this.scenario.cutPromptAt);
    const uploads = this.attachments.flatMap(({ id }) => id ?? []);
    const body = JSON.stringify({
      caseId: `${place}${this.caseId}`,
      conversation: this.conversation,
      prompt,
      uploads,
      chosen: { ...this.chosen, tool: this.tool },
    });
    this.busy = !this.scenario.sendNeverShows;
    void this.#read(fetch("/standin/send", { method: "POST", body }));
    if (this.scenario.sendNeverShows) return;
    setTimeout(() => {
      this.attachments = [];
      if (this.scenario.wall === "throttle_after_send") this.dialog = "Too many requests";
      if (this.scenario.limit === "toast_after_send") this.notice = this.scenario.limitText;
      this.changed();
    }, this.scenario.slowSendMs);
  }

  stop(): void {
    this.#reader?.abort();
    this.busy = false;
    this.turns = this.turns.map((turn) => (writing(turn.state) ? { ...turn, state: "cut" } : turn));
    this.changed();
  }

  async #read(asked: Promise<Response>): Promise<void> {
    this.busy = !this.scenario.sendNeverShows;
    this.#reader = new AbortController();
    const { signal } = this.#reader;
    const shownFrom = Date.now() + this.scenario.slowSendMs;
    try {
      const response = await asked;
      const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
      let rest = "";
      for (let piece = await reader?.read(); piece?.done === false && !signal.aborted; piece = await reader?.read()) {
        const lines = `${rest}${piece.value}`.split("\n");
        rest = lines.pop() ?? "";
        for (const line of lines) {
          await new Promise((resolve) => setTimeout(resolve, shownFrom - Date.now()));
          if (!signal.aborted) this.#take(JSON.parse(line) as StreamLine);
        }
      }
    } catch (error) {
      this.notice = `Network connection lost. ${String(error)}`;
    }
    if (signal.aborted) return;
    this.busy = false;
    this.changed();
  }

  #take(line: StreamLine): void {
    if (this.scenario.sendNeverShows) return;
    this.conversation = line.conversation;
    this.turns = line.turns;
    const last = line.turns.at(-1);
    const text = last?.state === "streaming" ? last.text.length : 0;
    if (text > 100 && this.scenario.end === "reload" && performance.navigation.type === 0) location.reload();
    if (text > 100 && this.scenario.end === "navigate") location.href = "/";
    this.changed();
  }
}

export const writing = (state: TurnState["state"]): boolean =>
  state === "thinking" || state === "preamble" || state === "streaming";

/** What a copy button does. Earlier: the text of the turn above, which a slow page has not replaced yet. */
export async function copyTurn(chat: Chat, turn: TurnState): Promise<void> {
  const { copy } = chat.scenario;
  const answers = chat.turns.filter(({ role }) => role === "assistant");
  const text = copy === "old" ? (answers[0]?.text ?? "") : turn.text;
  if (copy === "fails") throw new DOMException("Write permission denied.", "NotAllowedError");
  if (copy === "part") return navigator.clipboard.writeText(text.slice(0, Math.floor(text.length / 2)));
  if (copy === "item")
    return navigator.clipboard.write([new ClipboardItem({ "text/plain": new Blob([text], { type: "text/plain" }) })]);
  return navigator.clipboard.writeText(text);
}

/** Whether a turn shows the marks of a finished answer. */
export function finishedMarks(chat: Chat, turn: TurnState): boolean {
  if (turn.role === "user") return true;
  if (turn.state === "done") return chat.scenario.done !== "never";
  return writing(turn.state) && (chat.scenario.done === "early" || turn.state === "preamble");
}
