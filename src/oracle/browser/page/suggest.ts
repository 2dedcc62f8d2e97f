// Selectors for parts of the page that its data no longer finds: guesses from what the page shows now, for a person to read.
import type { Marks } from "../marks.ts";
import type { Suggestion } from "../shapes.ts";
import { isVisible, labelText, oneList } from "./find.ts";

/** Ids and class names that a build or a load makes new each time are of no use. */
const isStable = (name: string): boolean => name !== "" && !/\d{3,}|[:_]r\w*[:_]|[0-9a-f]{8,}/i.test(name);

const quoted = (value: string): string => `'${value.replaceAll("'", String.raw`\'`)}'`;

/** The most lasting attribute first. */
function selectorsOf(element: Element): string[] {
  const tag = element.tagName.toLowerCase();
  const found: string[] = [];
  for (const name of ["data-testid", "data-test-id"]) {
    const value = element.getAttribute(name);
    if (value !== null && isStable(value)) found.push(`[${name}=${quoted(value)}]`);
  }
  if (isStable(element.id)) found.unshift(`#${CSS.escape(element.id)}`);
  const part = /[A-Z][A-Za-z]+-module__[A-Za-z]+/.exec(element.getAttribute("class") ?? "")?.[0];
  if (part) found.push(`${tag}[class*=${quoted(part)}]`);
  const label = element.getAttribute("aria-label");
  if (label !== null && label.length < 60 && !/@/.test(label)) found.push(`${tag}[aria-label=${quoted(label)}]`);
  const role = element.getAttribute("role");
  if (role !== null) found.push(`${tag}[role=${quoted(role)}]`);
  return found.filter((selector) => oneList(document, selector).includes(element)).slice(0, 3);
}

const area = (element: Element): number => {
  const { width, height } = element.getBoundingClientRect();
  return width * height;
};

const visible = (selector: string): Element[] => oneList(document, selector).filter(isVisible);

const named = (pattern: RegExp) => (element: Element) =>
  pattern.test(
    `${element.getAttribute("aria-label") ?? ""} ${element.getAttribute("data-testid") ?? ""} ${element.getAttribute("href") ?? ""}`,
  );

const guesses: Readonly<Partial<Record<keyof Marks, () => Element | undefined>>> = {
  composer: () => visible("textarea, [contenteditable=true]").sort((left, right) => area(right) - area(left))[0],
  modelButton: () =>
    visible("button[aria-haspopup=menu], button[aria-haspopup=listbox]").find(
      (button) => labelText(button) !== "" && !named(/profile|account|history|options|share/i)(button),
    ),
  attachOpener: () => visible("button").find(named(/attach|upload|add (files|photos)|composer-plus/i)),
  fileInput: () => oneList(document, "input[type=file]:not([accept])")[0] ?? oneList(document, "input[type=file]")[0],
  loggedIn: () => visible("button, a").find(named(/profile|accounts?[-. ]|SignOut|avatar|user-menu/i)),
};

export function suggest(marks: Marks): Suggestion[] {
  return Object.entries(guesses).flatMap(([name, find]) => {
    const element = find();
    const known = marks[name as keyof Marks];
    const selectors = element === undefined ? [] : selectorsOf(element).filter((one) => !known.includes(one));
    return selectors.length === 0 ? [] : [{ name, selectors }];
  });
}
