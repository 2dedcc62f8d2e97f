// The turns of a conversation: whose they are, what names them, and which one is the newest answer.
import type { Marks } from "../shapes.ts";
import { every, oneList } from "./find.ts";

export interface PageTurn {
  readonly element: Element;
  readonly role: "user" | "assistant";
  readonly key: string;
}

const matches = (element: Element, selectors: readonly string[]) =>
  selectors.some((selector) => element.matches(selector) || oneList(element, selector).length > 0);

function keyOf(element: Element, attributes: readonly string[], index: number): string {
  for (const name of attributes) {
    const holder = element.hasAttribute(name) ? element : element.querySelector(`[${name}]`);
    const value = holder?.getAttribute(name);
    if (value) return `${name}=${value}`;
  }
  return `#${index}`;
}

export function turnsOf(marks: Marks): PageTurn[] {
  const found = every(document, marks.turn);
  // Of nested matches only the outer one is a turn.
  const outer = found.filter(
    (element) => !found.some((other) => other !== element && other.contains(element)),
  );
  outer.sort((left, right) =>
    left.compareDocumentPosition(right) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1,
  );
  return outer.flatMap((element, index): PageTurn[] => {
    const key = keyOf(element, marks.turnKey, index);
    if (matches(element, marks.user)) return [{ element, role: "user", key }];
    if (matches(element, marks.assistant)) return [{ element, role: "assistant", key }];
    return [];
  });
}

/** Null while the last word is the user's. */
export function newestAnswer(turns: readonly PageTurn[]): PageTurn | null {
  const last = turns.at(-1);
  return last?.role === "assistant" ? last : null;
}

/** The parts of a turn that hold its text; a preamble and the answer itself may stand in one turn. */
export function bodiesOf(turn: PageTurn, selectors: readonly string[]): Element[] {
  for (const selector of selectors) {
    const found = oneList(turn.element, selector);
    const outer = found.filter(
      (element) => !found.some((other) => other !== element && other.contains(element)),
    );
    if (outer.length > 0) return outer;
  }
  return [];
}

export const headOf = (text: string): string => text.replaceAll(/\s+/g, "").slice(0, 160);
