// One snapshot of the page: all data that a driver decides by, read at one moment. It changes nothing.
import type { AnswerLook, ChipLook, Marks, PageSnapshot } from "../shapes.ts";
import {
  all,
  anyVisible,
  bodiesOf,
  elementText,
  every,
  firstVisible,
  headOf,
  isEnabled,
  isVisible,
  newestAnswer,
  turnsOf,
  type PageTurn,
} from "./find.ts";
import { toMarkdown } from "./markdown.ts";

export function composerOf(marks: Marks): Element | null {
  return firstVisible(document, marks.composer)?.element ?? null;
}

function composerText(element: Element): string {
  if (element instanceof HTMLTextAreaElement || element instanceof HTMLInputElement) return element.value;
  return editorLines(element).join("\n");
}

/** An editor keeps lines as elements, as line breaks, or as line ends in its text; an empty line holds a break. */
function editorLines(element: Element): string[] {
  const lines = [""];
  const add = (text: string) => {
    const [first = "", ...more] = text.split("\n");
    lines[lines.length - 1] += first;
    lines.push(...more);
  };
  for (const [index, child] of [...element.childNodes].entries()) {
    if (child.nodeType === Node.TEXT_NODE) add(child.nodeValue ?? "");
    else if (!(child instanceof Element)) continue;
    else if (child.tagName === "BR") lines.push("");
    else if (["P", "DIV", "LI"].includes(child.tagName)) {
      if (index > 0) lines.push("");
      const inside = child.childNodes.length === 1 && child.firstElementChild?.tagName === "BR";
      add(inside ? "" : editorLines(child).join("\n"));
    } else add(editorLines(child).join("\n"));
  }
  return lines;
}

const anyMatch = (text: string, patterns: readonly string[]) =>
  patterns.some((pattern) => new RegExp(pattern, "i").test(text));

function answerLook(turn: PageTurn, marks: Marks): AnswerLook {
  const bodies = bodiesOf(turn, marks.body);
  const markdown = toMarkdown(bodies, marks.codeNoise);
  const text = markdown.replaceAll(/\s+/g, " ").trim();
  return {
    key: turn.key,
    markdown,
    done: anyVisible(turn.element, marks.done),
    busy: anyVisible(turn.element, marks.busy) || turn.element.getAttribute("aria-busy") === "true",
    placeholder: text === "" || (text.length <= 80 && anyMatch(text, marks.placeholder)),
    model: firstText(turn.element, marks.turnModel),
  };
}

function firstText(scope: ParentNode, selectors: readonly string[]): string | null {
  const found = firstVisible(scope, selectors);
  return found === null ? null : elementText(found.element) || found.element.getAttribute("aria-label");
}

function chipsOf(marks: Marks): ChipLook[] {
  const scope = all(document, marks.chipScope)[0] ?? document;
  const found = every(scope, marks.chip).filter(isVisible);
  const outer = found.filter((element) => !found.some((other) => other !== element && other.contains(element)));
  return outer.map((element) => ({
    names: [element, ...element.querySelectorAll("[title],[aria-label]")]
      .flatMap((part) => [part.getAttribute("aria-label"), part.getAttribute("title")])
      .concat(elementText(element))
      .filter((name): name is string => name !== null && name !== ""),
    busy: marks.chipBusy.some((selector) => element.matches(selector) || anyVisible(element, [selector])),
  }));
}

function stopVisible(marks: Marks): boolean {
  return every(document, marks.stop).some(
    (element) => isVisible(element) && !marks.stopExcept.some((selector) => element.matches(selector)),
  );
}

interface Dialogs {
  readonly throttled: string | null;
  readonly announcement: boolean;
  readonly dialog: string | null;
}

function dialogs(marks: Marks): Dialogs {
  const announcement = anyVisible(document, marks.announcement);
  const shown = every(document, marks.dialog).filter(isVisible);
  const throttle = shown.map(elementText).find((text) => anyMatch(text, marks.throttleText));
  const other = shown.find(
    (element) => !marks.announcement.some((selector) => element.matches(selector) || element.closest(selector)),
  );
  return {
    throttled: throttle ?? null,
    announcement,
    dialog: other ? elementText(other).slice(0, 300) : null,
  };
}

/** A challenge page has no composer: a normal page may hold the same scripts, and a conversation the same text. */
function challenged(marks: Marks, composer: Element | null): boolean {
  if (composer !== null) return false;
  return anyMatch(document.title, marks.challengeTitle) || every(document, marks.challenge).length > 0;
}

export function snapshotDom(marks: Marks): PageSnapshot {
  const composer = composerOf(marks);
  const turns = turnsOf(marks);
  const answer = newestAnswer(turns);
  const send = every(document, marks.send).filter(isVisible);
  return {
    url: location.href,
    title: document.title,
    loaded: document.readyState !== "loading",
    challenge: challenged(marks, composer),
    loggedIn: anyVisible(document, marks.loggedIn),
    loggedOut: anyVisible(document, marks.loggedOut),
    ...dialogs(marks),
    composer: composer && { text: composerText(composer) },
    send: send.length === 0 ? null : { enabled: send.some(isEnabled) },
    stop: stopVisible(marks),
    idle: marks.idle.every((selector) => anyVisible(document, [selector])),
    chips: chipsOf(marks),
    uploadError: firstText(document, marks.uploadError),
    turns: turns.map(({ key, role, element }) => {
      const text =
        role === "user"
          ? bodiesOf({ key, role, element }, marks.userText)
              .map(({ textContent }) => textContent ?? "")
              .join("\n")
          : (element.textContent ?? "");
      return { key, role, head: headOf(text), length: text.length };
    }),
    answer: answer && answerLook(answer, marks),
    errorBanner: firstText(document, marks.errorBanner),
    model: firstText(document, marks.modelButton),
  };
}
