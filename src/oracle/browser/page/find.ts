// Finding elements by lists of selectors that are tried in order, and the turns of the conversation.
import type { Marks } from "../shapes.ts";

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
  const outer = found.filter((element) => !found.some((other) => other !== element && other.contains(element)));
  outer.sort((left, right) => (left.compareDocumentPosition(right) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1));
  return outer.flatMap((element, index): PageTurn[] => {
    const key = keyOf(element, marks.turnKey, index);
    if (matches(element, marks.user)) return [{ element, role: "user", key }];
    if (matches(element, marks.assistant)) return [{ element, role: "assistant", key }];
    return [];
  });
}

/** Null while the last turn is the user's. */
export function newestAnswer(turns: readonly PageTurn[]): PageTurn | null {
  const last = turns.at(-1);
  return last?.role === "assistant" ? last : null;
}

/** The elements of a turn that hold its text; one turn may hold a preamble and the answer. */
export function bodiesOf(turn: PageTurn, selectors: readonly string[]): Element[] {
  for (const selector of selectors) {
    const found = oneList(turn.element, selector);
    const outer = found.filter((element) => !found.some((other) => other !== element && other.contains(element)));
    if (outer.length > 0) return outer;
  }
  return [];
}

export const headOf = (text: string): string => text.replaceAll(/\s+/g, "").slice(0, 160);

export function isVisible(element: Element): boolean {
  return element.checkVisibility({ visibilityProperty: true }) && element.getClientRects().length > 0;
}

/** A list that a user edited may hold a selector that does not parse: it finds nothing. */
export function all(scope: ParentNode, selectors: readonly string[]): Element[] {
  for (const selector of selectors) {
    const found = oneList(scope, selector);
    if (found.length > 0) return found;
  }
  return [];
}

export function oneList(scope: ParentNode, selector: string): Element[] {
  try {
    return [...scope.querySelectorAll(selector)];
  } catch (error) {
    if (error instanceof DOMException) return [];
    throw error;
  }
}

/** Of all selectors together, in document order of each list. */
export function every(scope: ParentNode, selectors: readonly string[]): Element[] {
  return [...new Set(selectors.flatMap((selector) => oneList(scope, selector)))];
}

interface FoundElement {
  readonly element: Element;
  readonly selector: string;
}

export function firstVisible(scope: ParentNode, selectors: readonly string[]): FoundElement | null {
  for (const selector of selectors) {
    const element = oneList(scope, selector).find(isVisible);
    if (element) return { element, selector };
  }
  return null;
}

export const anyVisible = (scope: ParentNode, selectors: readonly string[]): boolean =>
  firstVisible(scope, selectors) !== null;

export const isEnabled = (element: Element): boolean =>
  !(element instanceof HTMLButtonElement && element.disabled) && element.getAttribute("aria-disabled") !== "true";

/** The visible text on one line. */
export const elementText = (element: Element): string => (element.textContent ?? "").replaceAll(/\s+/g, " ").trim();
