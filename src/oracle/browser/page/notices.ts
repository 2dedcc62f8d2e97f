// What the page reports outside of the conversation: toasts, alerts and banners; and errors in the newest turn.
import type { Marks } from "../marks.ts";
import { elementText, every, isVisible, type PageTurn } from "./find.ts";

/** A longer text is a region of the page and not a message. */
const longestNotice = 300;

const plain = (text: string): string => text.replaceAll(/\s+/g, " ").trim();

/** Pages repeat the answer for screen readers: such a text is not a notice. */
export function noticesOf(marks: Marks, turns: readonly PageTurn[], answer: string): string[] {
  const said = plain(answer);
  return every(document, marks.notice)
    .filter((element) => isVisible(element) && !turns.some((turn) => related(turn.element, element)))
    .map(elementText)
    .filter((text) => text !== "" && text.length <= longestNotice && !(said !== "" && said.includes(text)));
}

const related = (left: Element, right: Element): boolean => left.contains(right) || right.contains(left);

/** An error in an earlier turn of the conversation is over. */
export function errorBannerOf(marks: Marks, turns: readonly PageTurn[]): string | null {
  const newest = turns.at(-1)?.element;
  const found = every(document, marks.errorBanner).find((element) => {
    if (!isVisible(element)) return false;
    const turn = turns.find((one) => one.element.contains(element))?.element;
    return turn === undefined || turn === newest;
  });
  return found === undefined ? null : elementText(found) || (found.getAttribute("aria-label") ?? "an error");
}
