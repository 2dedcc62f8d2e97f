// Page code that acts for a driver: finds where to press, focuses and empties the composer, unfolds code, captures the answer.
import type { Marks } from "../marks.ts";
import type { Aim, Captured, OptionLook } from "../shapes.ts";
import { aimAt, nowhere } from "./aim.ts";
import {
  bodiesOf,
  every,
  firstVisible,
  isEnabled,
  isVisible,
  labelText,
  newestAnswer,
  oneList,
  turnsOf,
} from "./find.ts";
import { composerOf, modelLabel } from "./page-state.ts";
import { codeText, toMarkdown } from "./markdown.ts";

/** The first one that is visible and enabled; within the newest answer, the last such one. */
export function aim(selectors: readonly string[], within: "page" | "answer", marks: Marks): Aim {
  const scope = within === "page" ? document : newestAnswer(turnsOf(marks))?.element;
  if (!scope) return nowhere;
  for (const selector of selectors) {
    const usable = oneList(scope, selector).filter((element) => isVisible(element) && isEnabled(element));
    const element = within === "page" ? usable[0] : usable.at(-1);
    if (element) return aimAt(element, selector);
  }
  return nowhere;
}

export function focusComposer(marks: Marks): boolean {
  const composer = composerOf(marks);
  if (!(composer instanceof HTMLElement)) return false;
  composer.focus();
  return document.activeElement === composer || composer.contains(document.activeElement);
}

/** Selects everything in the composer, so that the next typed text replaces it. */
export function clearComposer(marks: Marks): boolean {
  const composer = composerOf(marks);
  if (!(composer instanceof HTMLElement)) return false;
  composer.focus();
  if (composer instanceof HTMLTextAreaElement || composer instanceof HTMLInputElement) {
    composer.select();
    return composer.value !== "";
  }
  const selection = getSelection();
  selection?.selectAllChildren(composer);
  return (composer.textContent ?? "") !== "";
}

/** Rows of a view that is folded away are in the page and cannot be chosen. */
function optionElements(marks: Marks): Element[] {
  return every(document, marks.modelOption).filter(
    (element) => isVisible(element) && element.closest("[inert]") === null,
  );
}

function checkedOf(element: Element): boolean | null {
  const value =
    ["aria-checked", "aria-selected", "data-active", "data-state"]
      .map((name) => element.getAttribute(name))
      .find((found) => found !== null) ?? null;
  return value === null ? null : ["true", "checked", "active"].includes(value);
}

export function options(marks: Marks): OptionLook[] {
  const used = new Map<string, number>();
  return optionElements(marks).map((element) => {
    const label = modelLabel(element, marks);
    const name = element.getAttribute("data-testid") ?? element.getAttribute("data-test-id") ?? `label=${label}`;
    const times = used.get(name) ?? 0;
    used.set(name, times + 1);
    return {
      label,
      id: times === 0 ? name : `${name}#${times}`,
      submenu: marks.modelSubmenu.some((selector) => element.matches(selector)),
      checked: checkedOf(element),
    };
  });
}

function optionOf(marks: Marks, id: string): Element | undefined {
  const at = options(marks).findIndex((option) => option.id === id);
  return at < 0 ? undefined : optionElements(marks)[at];
}

export function aimOption(marks: Marks, id: string): Aim {
  const element = optionOf(marks, id);
  return element ? aimAt(element, id) : nowhere;
}

export function clickOption(marks: Marks, id: string): boolean {
  const element = optionOf(marks, id);
  if (!(element instanceof HTMLElement)) return false;
  element.focus();
  element.click();
  return true;
}

/** So often a page may fold again what was unfolded. */
const mostUnfolds = 12;

export async function captureOpen(marks: Marks): Promise<Captured | null> {
  for (let tries = 0; ; tries += 1) {
    const answer = newestAnswer(turnsOf(marks));
    const folded = answer === null ? [] : every(answer.element, marks.collapsed).filter(isVisible);
    // Nothing runs between this look and the capture: the page cannot fold it again.
    if (folded.length === 0 || tries >= mostUnfolds) return capture(marks, folded.length);
    for (const element of folded) if (element instanceof HTMLElement) element.click();
    await new Promise((resolve) => setTimeout(resolve, 60));
  }
}

function capture(marks: Marks, folded: number): Captured | null {
  const answer = newestAnswer(turnsOf(marks));
  if (!answer) return null;
  const bodies = bodiesOf(answer, marks.body);
  return {
    folded,
    markdown: toMarkdown(bodies, marks.codeNoise),
    html: bodies.map(({ innerHTML }) => innerHTML).join("\n"),
    code: bodies.flatMap((body) => oneList(body, "pre")).map((pre) => codeText(pre, marks.codeNoise)),
  };
}

export function fileInput(marks: Marks): { selector: string; index: number } | null {
  for (const selector of marks.fileInput) {
    const index = oneList(document, selector).findIndex((element) => !(element as HTMLInputElement).disabled);
    if (index >= 0) return { selector, index };
  }
  return null;
}

export const element = (selector: string, index: number): Element | null => oneList(document, selector)[index] ?? null;

export const probeOne = (name: string, selectors: readonly string[]) => {
  const visible = firstVisible(document, selectors);
  if (visible) return { name, found: visible.selector, visible: true };
  const hidden = selectors.find((selector) => oneList(document, selector).length > 0);
  return { name, found: hidden ?? null, visible: false };
};

/** The text of a button, e.g. of the one that shows the effort. */
export function buttonLabel(selectors: readonly string[]): string | null {
  const found = firstVisible(document, selectors)?.element;
  return found === undefined ? null : labelText(found);
}
