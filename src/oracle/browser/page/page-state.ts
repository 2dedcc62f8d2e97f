// One snapshot of the page: all data that a driver decides by, read at one moment. It changes nothing.
import type { Marks } from "../marks.ts";
import type { AnswerLook, ChipLook, PageSnapshot } from "../shapes.ts";
import {
  all,
  anyMatch,
  anyVisible,
  bodiesOf,
  elementText,
  every,
  firstVisible,
  headOf,
  isEnabled,
  isMatch,
  isVisible,
  labelText,
  newestAnswer,
  shownText,
  turnsOf,
  type PageTurn,
} from "./find.ts";
import { toMarkdown } from "./markdown.ts";
import { picturesIn } from "./made.ts";
import { modeLook } from "./mode.ts";
import { noticesOf, errorBannerOf } from "./notices.ts";

export function composerOf(marks: Marks): Element | null {
  return firstVisible(document, marks.composer)?.element ?? null;
}

function composerText(element: Element, noise: readonly string[]): string {
  if (element instanceof HTMLTextAreaElement || element instanceof HTMLInputElement) return element.value;
  if (noise.length === 0) return editorLines(element).join("\n");
  const copy = element.cloneNode(true) as Element;
  for (const other of every(copy, noise)) other.remove();
  return editorLines(copy).join("\n");
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

function answerLook(turn: PageTurn, marks: Marks): AnswerLook {
  const bodies = bodiesOf(turn, marks.body);
  const markdown = toMarkdown(bodies, marks.codeNoise);
  const text = markdown.replaceAll(/\s+/g, " ").trim();
  const pictures = picturesIn(turn.element, marks).length;
  return {
    key: turn.key,
    markdown,
    done: anyVisible(turn.element, marks.done),
    busy: anyVisible(turn.element, marks.busy) || marks.busy.some((selector) => isMatch(turn.element, selector)),
    placeholder: (text === "" && pictures === 0) || (text.length <= 80 && anyMatch(text, marks.placeholder)),
    preamble: anyMatch(text, marks.preamble),
    pictures,
    model: firstText(turn.element, marks.turnModel) ?? attributeOf(turn.element, marks.turnModelAttr),
  };
}

function firstText(scope: ParentNode, selectors: readonly string[]): string | null {
  const found = firstVisible(scope, selectors);
  return found === null ? null : elementText(found.element) || found.element.getAttribute("aria-label");
}

function attributeOf(scope: Element, names: readonly string[]): string | null {
  for (const name of names) {
    const holder = scope.hasAttribute(name) ? scope : [...scope.querySelectorAll(`[${name}]`)].at(-1);
    const value = holder?.getAttribute(name);
    if (value) return value;
  }
  return null;
}

/** An option or the button may hold a description beside the label. */
export function modelLabel(element: Element, marks: Marks): string {
  return firstText(element, marks.modelLabel) ?? labelText(element);
}

function shownModel(marks: Marks): string | null {
  const button = firstVisible(document, marks.modelButton)?.element;
  return button === undefined ? null : modelLabel(button, marks) || button.getAttribute("aria-label");
}

function chipsOf(marks: Marks): ChipLook[] {
  const scope = all(document, marks.chipScope)[0] ?? document;
  const found = every(scope, marks.chip).filter(isVisible);
  const outer = found.filter((element) => !found.some((other) => other !== element && other.contains(element)));
  return outer.map((element) => ({
    names: [element, ...element.querySelectorAll("[title],[aria-label]")]
      .flatMap((part) => [part.getAttribute("aria-label"), part.getAttribute("title")])
      .concat(elementText(element), labelText(element))
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
  readonly noticeError: string | null;
  readonly announcement: boolean;
  readonly dialog: string | null;
}

function dialogs(marks: Marks, turns: readonly PageTurn[], answer: string): Dialogs {
  const announcement = anyVisible(document, marks.announcement);
  const shown = every(document, marks.dialog).filter(isVisible);
  const notices = noticesOf(marks, turns, answer);
  const throttle = [...shown.map(elementText), ...notices].find((text) => anyMatch(text, marks.throttleText));
  const other = shown.find(
    (element) => !marks.announcement.some((selector) => element.matches(selector) || element.closest(selector)),
  );
  return {
    throttled: throttle ?? null,
    noticeError: notices.find((text) => anyMatch(text, marks.errorText)) ?? null,
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
  const newest = answer && answerLook(answer, marks);
  const send = every(document, marks.send).filter(isVisible);
  return {
    url: location.href,
    title: document.title,
    loaded: document.readyState !== "loading",
    challenge: challenged(marks, composer),
    loggedIn: anyVisible(document, marks.loggedIn),
    loggedOut: anyVisible(document, marks.loggedOut),
    ...dialogs(marks, turns, newest?.markdown ?? ""),
    composer: composer && { text: composerText(composer, marks.composerNoise) },
    send: send.length === 0 ? null : { enabled: send.some(isEnabled) },
    stop: stopVisible(marks),
    idle: marks.idle.every((selector) => anyVisible(document, [selector])),
    chips: chipsOf(marks),
    uploadError: firstText(document, marks.uploadError),
    turns: turns.map(({ key, role, element }) => {
      const text =
        role === "user"
          ? bodiesOf({ key, role, element }, marks.userText).map(shownText).join("\n")
          : (element.textContent ?? "");
      return { key, role, head: headOf(text), length: text.length };
    }),
    answer: newest,
    errorBanner: errorBannerOf(marks, turns),
    model: shownModel(marks),
    mode: modeLook(marks),
    inputFiles: every(document, marks.fileInput).flatMap((input) =>
      [...((input as HTMLInputElement).files ?? [])].map(({ name }) => name),
    ),
  };
}
