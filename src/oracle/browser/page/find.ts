// Finding elements by lists of selectors that are tried in order, and the turns of the conversation.
import type { Marks } from "../marks.ts";

export interface PageTurn {
  readonly element: Element;
  readonly role: "user" | "assistant";
  readonly key: string;
}

const matches = (element: Element, selectors: readonly string[]) =>
  selectors.some((selector) => isMatch(element, selector) || oneList(element, selector).length > 0);

function keyOf(element: Element, attributes: readonly string[], index: number): string {
  for (const name of attributes) {
    // `data-testid^=message-` takes only values that begin so: other parts of a turn have the attribute as well.
    const [attribute = "", start] = name.split("^=");
    const selector = start === undefined ? `[${attribute}]` : `[${attribute}^="${start}"]`;
    const holder = element.matches(selector) ? element : element.querySelector(selector);
    const value = holder?.getAttribute(attribute);
    if (value) return `${attribute}=${value}`;
  }
  return `#${index}`;
}

/** Sorts them as they stand in the page. */
export const inOrder = (elements: Element[]): Element[] =>
  elements.sort((left, right) => (left.compareDocumentPosition(right) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1));

export function turnsOf(marks: Marks): PageTurn[] {
  const found = every(document, marks.turn);
  // Of nested matches only the outer one is a turn.
  const outer = found.filter((element) => !found.some((other) => other !== element && other.contains(element)));
  inOrder(outer);
  const used = new Map<string, number>();
  return outer.flatMap((element, index): PageTurn[] => {
    const name = keyOf(element, marks.turnKey, index);
    const times = used.get(name) ?? 0;
    used.set(name, times + 1);
    const key = times === 0 ? name : `${name}#${times}`;
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

export const anyMatch = (text: string, patterns: readonly string[]): boolean =>
  patterns.some((pattern) => new RegExp(pattern, "i").test(text));

/** False also for a selector that does not parse. */
export function isMatch(element: Element, selector: string): boolean {
  try {
    return element.matches(selector);
  } catch (error) {
    if (error instanceof DOMException) return false;
    throw error;
  }
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

/** `SELECTOR:text(PATTERN)` takes the elements whose whole text matches: some controls differ by their text only. */
export function oneList(scope: ParentNode, selector: string): Element[] {
  const [, plain = selector, pattern] = /^(.*):text\((.*)\)$/.exec(selector) ?? [];
  try {
    const found = [...scope.querySelectorAll(plain)];
    if (pattern === undefined) return found;
    const text = new RegExp(pattern, "i");
    return found.filter((element) => text.test(elementText(element)));
  } catch (error) {
    if (error instanceof DOMException || error instanceof SyntaxError) return [];
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

const hiddenWords = ".sr-only, .cdk-visually-hidden, [class*='visually-hidden']";

/** The text without the words for screen readers. */
export function shownText(element: Element): string {
  const copy = element.cloneNode(true) as Element;
  for (const spoken of copy.querySelectorAll(hiddenWords)) spoken.remove();
  return copy.textContent ?? "";
}

/** The text on one line, with a blank between the parts: a button may show two words in two elements. */
export function labelText(element: Element): string {
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  const parts: string[] = [];
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    // Words for screen readers only, such as "Model:", are not the label.
    const spoken = node.parentElement?.closest(hiddenWords) ?? null;
    if (spoken === null || !element.contains(spoken) || spoken === element) parts.push(node.nodeValue ?? "");
  }
  return parts.join(" ").replaceAll(/\s+/g, " ").trim();
}

/** The visible text on one line. */
export const elementText = (element: Element): string => (element.textContent ?? "").replaceAll(/\s+/g, " ").trim();
