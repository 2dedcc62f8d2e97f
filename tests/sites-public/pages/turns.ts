// The list of turns: draws what changed, or everything anew when the case asks for a page that does so.
import type { TurnState } from "../../sites/pages/shapes.ts";
import { type Chat, finishedMarks, writing } from "./chat.ts";

export interface TurnLook {
  readonly turn: TurnState;
  readonly index: number;
  readonly last: boolean;
  /** The finished marks are on the page now. */
  readonly marks: boolean;
}

export type DrawTurn = (look: TurnLook) => HTMLElement;

interface Drawn {
  readonly key: string;
  readonly node: HTMLElement;
}

export class TurnList {
  readonly #chat: Chat;
  readonly #place: HTMLElement;
  readonly #draw: DrawTurn;
  #drawn: Drawn[] = [];
  #flicker = false;
  #wasWriting = false;

  constructor(chat: Chat, place: HTMLElement, draw: DrawTurn) {
    this.#chat = chat;
    this.#place = place;
    this.#draw = draw;
    const { rerenderMs } = chat.scenario;
    if (rerenderMs > 0)
      setInterval(() => {
        this.#drawn = [];
        this.draw();
      }, rerenderMs);
  }

  draw(): void {
    const { turns, scenario } = this.#chat;
    const isWriting = turns.some(({ state }) => writing(state));
    if (this.#wasWriting && !isWriting && scenario.done === "flickers") this.#startFlicker();
    this.#wasWriting = isWriting;
    const looks = turns.map((turn, index) => this.#look(turn, index, turns.length));
    const drawn = looks.map((look, at) => this.#drawOne(look, this.#drawn[at]));
    const kept = new Set<Node>(drawn.map(({ node }) => node));
    const standing = [...this.#place.childNodes];
    for (const node of standing) if (!kept.has(node)) node.remove();
    for (const [at, { node }] of drawn.entries())
      if (this.#place.childNodes[at] !== node) this.#place.insertBefore(node, this.#place.childNodes[at] ?? null);
    this.#drawn = drawn;
  }

  #look(turn: TurnState, index: number, count: number): TurnLook {
    const last = index === count - 1;
    return { turn, index, last, marks: finishedMarks(this.#chat, turn) && !(last && this.#flicker) };
  }

  #drawOne(look: TurnLook, before: Drawn | undefined): Drawn {
    const { drawnTurns, replaceNode } = this.#chat.scenario;
    const far = drawnTurns > 0 && look.index < this.#chat.turns.length - drawnTurns;
    const key = JSON.stringify([look, far]);
    if (before?.key === key) return before;
    const node = this.#draw(look);
    if (far) node.replaceChildren();
    const same = before?.node.tagName === node.tagName && before.node.dataset["key"] === look.turn.id;
    node.dataset["key"] = look.turn.id;
    if (!same || replaceNode) return { key, node };
    takeOver(before.node, node);
    return { key, node: before.node };
  }

  /** The marks come, go and come again. */
  #startFlicker(): void {
    setTimeout(() => this.#setFlicker(true), 150);
    setTimeout(() => this.#setFlicker(false), 600);
  }

  #setFlicker(on: boolean): void {
    this.#flicker = on;
    this.draw();
  }
}

function takeOver(old: HTMLElement, fresh: HTMLElement): void {
  const names = old.getAttributeNames();
  for (const name of names) if (!fresh.hasAttribute(name)) old.removeAttribute(name);
  for (const name of fresh.getAttributeNames()) old.setAttribute(name, fresh.getAttribute(name) ?? "");
  old.replaceChildren(...fresh.childNodes);
}
