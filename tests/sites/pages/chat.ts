// The behaviour that the three pages share: composer, uploads, sending, streaming. A skin gives it the site's own elements.
import type { PageStart, StreamLine, TurnState } from "./shapes.ts";

export interface Parts {
  readonly composer: HTMLElement;
  readonly send: HTMLButtonElement;
  readonly form: HTMLElement;
  readonly thread: HTMLElement;
  readonly chips: HTMLElement;
}

export interface Skin {
  layout(chat: Chat): Parts;
  user(turn: TurnState): HTMLElement;
  assistant(turn: TurnState, chat: Chat): HTMLElement;
  /** Shows that something is, or is not, being written. */
  working(chat: Chat, on: boolean): void;
  chip(name: string, busy: boolean): HTMLElement;
  toast(chat: Chat, words: string): void;
  error(chat: Chat): void;
  dialog(chat: Chat, kind: "announcement" | "throttle" | "strange"): void;
  address(conversation: string): string;
}

interface Attached {
  readonly name: string;
  id: string | null;
  busy: boolean;
}

export class Chat {
  readonly start: PageStart;
  readonly skin: Skin;
  readonly parts: Parts;
  readonly attached: Attached[] = [];
  turns: readonly TurnState[];
  conversation: string | null;
  mode: string | null;
  model: string;
  #presses = 0;
  #sending = false;
  #stopHidden = false;

  constructor(start: PageStart, skin: Skin) {
    this.start = start;
    this.skin = skin;
    this.turns = start.turns;
    this.conversation = start.conversation;
    this.mode = start.scenario.mode;
    this.model = start.scenario.model;
    this.parts = skin.layout(this);
    this.parts.composer.addEventListener("input", () => this.#limit());
    this.parts.composer.addEventListener("keydown", (event) => this.#key(event as KeyboardEvent));
    this.parts.send.addEventListener("click", () => this.press());
    this.draw();
    const last = this.turns.at(-1);
    if (last !== undefined && isWriting(last))
      void this.#follow(fetch(`/standin/stream?conversation=${this.conversation ?? ""}`));
  }

  get text(): string {
    const { composer } = this.parts;
    return composer instanceof HTMLTextAreaElement ? composer.value : editorText(composer);
  }

  #limit(): void {
    const { cutPromptAt } = this.start.scenario;
    if (cutPromptAt !== null && this.text.length > cutPromptAt) this.#write(this.text.slice(0, cutPromptAt));
    this.draw();
  }

  #write(text: string): void {
    const { composer } = this.parts;
    if (composer instanceof HTMLTextAreaElement) composer.value = text;
    else composer.textContent = text;
  }

  #key(event: KeyboardEvent): void {
    if (event.key !== "Enter" || event.shiftKey) return;
    event.preventDefault();
    if (!this.parts.send.disabled) this.press();
  }

  /** Gives files to the page, as a chooser does. */
  attach(files: readonly File[]): void {
    const { scenario } = this.start;
    for (const file of files) {
      const one: Attached = { name: file.name, id: null, busy: true };
      if (scenario.chip !== "nameless" || scenario.upload !== "never") this.attached.push(one);
      void this.#upload(file, one);
    }
    this.draw();
  }

  async #upload(file: File, one: Attached): Promise<void> {
    const { caseId, scenario } = this.start;
    const query = new URLSearchParams({ case: caseId, name: file.name });
    const answer = await fetch(`/standin/upload?${query}`, { method: "POST", body: file });
    if (!answer.ok) {
      this.attached.splice(this.attached.indexOf(one), 1);
      this.skin.toast(this, `Unsupported file ${file.name}`);
    } else {
      one.id = await answer.text();
      one.busy = false;
      if (scenario.chip === "vanishes") this.attached.splice(this.attached.indexOf(one), 1);
    }
    this.draw();
  }

  press(): void {
    const { scenario } = this.start;
    this.#presses += 1;
    if (this.#presses <= scenario.swallowedPresses || this.#sending || this.text.trim() === "") return;
    this.#sending = true;
    void this.#post();
  }

  async #post(): Promise<void> {
    const { scenario, caseId } = this.start;
    const body = JSON.stringify({
      caseId,
      conversation: this.conversation,
      prompt: this.text,
      uploads: this.attached.flatMap(({ id }) => id ?? []),
      chosen: { mode: this.mode, model: this.model },
    });
    if (scenario.longPoll) {
      const host = this.start.site === "gemini" ? "https://signaler-pa.clients6.google.com" : "";
      fetch(`${host}/standin/poll`).catch(() => undefined);
    }
    const answer = fetch("/standin/send", { method: "POST", body });
    if (scenario.sendNeverShows) return;
    if (scenario.wall === "throttle_after_send") return this.skin.dialog(this, "throttle");
    await new Promise((resolve) => setTimeout(resolve, scenario.slowSendMs));
    this.#write("");
    this.attached.length = 0;
    this.#sending = false;
    await this.#follow(answer);
  }

  async #follow(answer: Promise<Response>): Promise<void> {
    try {
      const reader = (await answer).body?.pipeThrough(new TextDecoderStream()).getReader();
      let rest = "";
      for (let piece = await reader?.read(); piece && !piece.done; piece = await reader?.read()) {
        rest += piece.value;
        const lines = rest.split("\n");
        rest = lines.pop() ?? "";
        for (const line of lines) this.#take(JSON.parse(line) as StreamLine);
      }
    } catch (error) {
      // The network broke: the page simply stops.
      this.#broken = error instanceof Error;
    }
    this.draw();
    if (this.start.scenario.interim === null || !this.writing) return;
    await new Promise((resolve) => setTimeout(resolve, 250));
    await this.#follow(fetch(`/standin/stream?conversation=${this.conversation ?? ""}`));
  }

  #broken = false;
  #left = false;

  #take({ conversation, turns }: StreamLine): void {
    const { scenario } = this.start;
    if (this.conversation === null) {
      this.conversation = conversation;
      if (!scenario.noAddress) history.pushState(null, "", this.skin.address(conversation));
    }
    this.turns = turns;
    const last = turns.at(-1);
    this.#stopHidden = scenario.stopHidden || (scenario.stopFlickers && !this.#stopHidden);
    const half = (last?.text.length ?? 0) > 100 && last?.state === "streaming" && !this.#left;
    if (half && (scenario.end === "reload" || scenario.end === "navigate") && sessionStorage.getItem("left") === null) {
      this.#left = true;
      sessionStorage.setItem("left", "1");
      if (scenario.end === "reload") location.reload();
      else location.href = this.skin.address("").replace(/c\/$/, "");
    }
    if (last?.state === "error") this.skin.error(this);
    this.draw();
  }

  /** Changes the mode, where the page lets it. */
  choose(mode: "Chat" | "Work" | "Ask" | "Agent"): boolean {
    if (this.start.scenario.modeFixed) return false;
    this.mode = mode;
    return true;
  }

  /** Chooses a model and shows it; some pages go back to the one before. */
  chooseModel(name: string, button: HTMLElement): void {
    const { modelReverts, model } = this.start.scenario;
    button.textContent = name;
    if (modelReverts) setTimeout(() => (button.textContent = model), 60);
    else this.model = name;
  }

  get writing(): boolean {
    const last = this.turns.at(-1);
    return last !== undefined && isWriting(last) && !this.#broken;
  }

  draw(): void {
    const { thread, send, chips } = this.parts;
    thread.replaceChildren(...this.turns.map((turn) => this.#turn(turn)));
    chips.replaceChildren(...this.attached.flatMap((one) => this.#chip(one)));
    send.disabled = this.text.trim() === "" || this.attached.some(({ busy }) => busy) || this.writing;
    this.skin.working(this, this.writing && !this.#stopHidden);
  }

  readonly #nodes = new Map<string, { node: HTMLElement; drawn: string }>();

  /** Drawn again only when it changed, so that a button stays where it is; or always, where pages do that. */
  #turn(turn: TurnState): HTMLElement {
    const drawn = JSON.stringify([turn, this.writing, this.flicker]);
    const kept = this.#nodes.get(turn.id);
    if (kept?.drawn === drawn) return kept.node;
    const node = turn.role === "user" ? this.skin.user(turn) : this.skin.assistant(turn, this);
    if (kept && !this.start.scenario.replaceNode) kept.node.replaceChildren(...node.childNodes);
    const shown = kept && !this.start.scenario.replaceNode ? kept.node : node;
    this.#nodes.set(turn.id, { node: shown, drawn });
    return shown;
  }

  #chip({ name, busy }: Attached): HTMLElement[] {
    const { chip } = this.start.scenario;
    const stem = name.replace(/\.[^.]*$/, "");
    const end = name.slice(stem.length);
    const shown =
      { numbered: `${stem}(1)${end}`, ellipsis: `${name.slice(0, 8)}…${end}`, nameless: "" }[chip as string] ?? name;
    return [this.skin.chip(shown, busy && chip !== "early")];
  }

  flicker = false;

  /** Whether the bar of a finished answer is shown in this turn. */
  barOf(turn: TurnState): boolean {
    const { done } = this.start.scenario;
    const last = turn.id === this.turns.at(-1)?.id;
    if (!last) return true;
    if (this.start.scenario.interim !== null && turn.state === "thinking") return true;
    if (done === "never" || turn.state === "cut" || turn.state === "error") return false;
    if (done === "early") return turn.text !== "";
    if (turn.state !== "done") return false;
    if (done !== "flickers") return true;
    if (this.#flickers < 6) {
      this.#flickers += 1;
      setTimeout(() => {
        this.flicker = !this.flicker;
        this.draw();
      }, 120);
    }
    return this.#flickers >= 6 || !this.flicker;
  }

  #flickers = 0;

  async copy(turn: TurnState): Promise<void> {
    const { copy } = this.start.scenario;
    const old = this.turns.find(({ role }) => role === "assistant")?.text ?? "";
    const text =
      copy === "part"
        ? turn.text.slice(0, Math.floor(turn.text.length / 3))
        : copy === "old"
          ? old.split("").reverse().join("")
          : turn.text;
    if (copy === "fails") return;
    if (copy === "item")
      return await navigator.clipboard.write([
        new ClipboardItem({ "text/plain": new Blob([text], { type: "text/plain" }) }),
      ]);
    await navigator.clipboard.writeText(text);
  }
}

/** Downloads a file as a page does: it asks the server with its login, and saves what it got. */
async function download(name: string): Promise<void> {
  const reply = await fetch(`/standin/file?name=${encodeURIComponent(name)}`);
  const link = document.createElement("a");
  link.href = URL.createObjectURL(await reply.blob());
  link.download = name;
  link.click();
}

const pictureAt = (at: number) => `/backend-api/estuary/content?id=file_${at}`;

/** What stands below a finished answer: pictures, and files that a press downloads. */
export function madeParts(chat: Chat, turn: TurnState): HTMLElement[] {
  const { pictures, files } = chat.start.scenario;
  if (turn.state !== "done") return [];
  const { site } = chat.start;
  const shown = Array.from({ length: pictures }, (_, at) => {
    const alt = `Picture ${at + 1}`;
    const image = `<img width="20" height="20" alt="${alt}" src="${pictureAt(at)}">`;
    return make(site === "gemini" ? `<generated-image><single-image>${image}</single-image></generated-image>` : image);
  });
  const links = files.map((name) => {
    const link = make(`<a href="sandbox:/mnt/data/${encodeURIComponent(name)}" download></a>`);
    link.textContent = name;
    link.addEventListener("click", (event) => {
      event.preventDefault();
      void download(name);
    });
    return link;
  });
  return [...shown, ...links];
}

/** The first line is bare text, each further one an element of its own: so editors of this kind keep what is typed. */
export function editorText(editor: HTMLElement): string {
  return [...editor.childNodes]
    .map((node) => (node instanceof HTMLBRElement ? "" : (node.textContent ?? "")))
    .join("\n");
}

const isWriting = ({ state }: TurnState) => state === "thinking" || state === "preamble" || state === "streaming";

export function make(html: string): HTMLElement {
  const holder = document.createElement("template");
  holder.innerHTML = html.trim();
  return document.adoptNode(holder.content.firstElementChild as HTMLElement);
}
