// Finding elements by lists of selectors that are tried in order.

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

export interface FoundElement {
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
  !(element instanceof HTMLButtonElement && element.disabled) &&
  element.getAttribute("aria-disabled") !== "true";

/** Words as a person sees them, on one line. */
export const elementText = (element: Element): string =>
  (element.textContent ?? "").replaceAll(/\s+/g, " ").trim();
