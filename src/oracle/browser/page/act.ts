// Page code that acts for a driver: finds where to press, focuses and empties the composer, unfolds code, captures the answer.
import type { Aim, Captured, Marks, OptionLook } from "../shapes.ts";
import {
  bodiesOf,
  elementText,
  every,
  firstVisible,
  isEnabled,
  isVisible,
  newestAnswer,
  oneList,
  turnsOf,
} from "./find.ts";
import { composerOf } from "./page-state.ts";
import { codeText, toMarkdown } from "./markdown.ts";

const nowhere: Aim = { found: false, covered: false, x: 0, y: 0, selector: "" };

function aimAt(element: Element, selector: string): Aim {
  element.scrollIntoView({ block: "center", inline: "center", behavior: "instant" });
  const box = element.getBoundingClientRect();
  const x = box.left + box.width / 2;
  const y = box.top + box.height / 2;
  const top = document.elementFromPoint(x, y);
  const covered = top === null || !(element.contains(top) || top.contains(element));
  return { found: true, covered, x, y, selector };
}

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

function optionElements(marks: Marks): Element[] {
  return every(document, marks.modelOption).filter(isVisible);
}

export function options(marks: Marks): OptionLook[] {
  return optionElements(marks).map((element, index) => ({
    label: elementText(element),
    id: element.getAttribute("data-testid") ?? element.getAttribute("data-test-id") ?? `#${index}`,
    submenu: marks.modelSubmenu.some((selector) => element.matches(selector)),
  }));
}

export function aimOption(marks: Marks, id: string): Aim {
  const at = options(marks).findIndex((option) => option.id === id);
  const element = optionElements(marks)[at];
  return element ? aimAt(element, id) : nowhere;
}

/** Presses every button that hides part of the answer; returns how many there were. */
export function openFolded(marks: Marks): number {
  const answer = newestAnswer(turnsOf(marks));
  if (!answer) return 0;
  const folded = every(answer.element, marks.collapsed).filter(isVisible);
  for (const element of folded) if (element instanceof HTMLElement) element.click();
  return folded.length;
}

export function capture(marks: Marks): Captured | null {
  const answer = newestAnswer(turnsOf(marks));
  if (!answer) return null;
  const bodies = bodiesOf(answer, marks.body);
  return {
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
