// What the page made for the newest answer beside its text: pictures, and files behind links and buttons.
import type { Marks } from "../marks.ts";
import type { Aim, PictureLook } from "../shapes.ts";
import { aimAt, nowhere } from "./aim.ts";
import { elementText, every, inOrder, isVisible, newestAnswer, turnsOf } from "./find.ts";

/** Loaded pictures of a turn; a page shows the same one small and large. */
export function picturesIn(turn: Element, marks: Marks): HTMLImageElement[] {
  const found = every(turn, marks.madePicture).filter(
    (element): element is HTMLImageElement =>
      element instanceof HTMLImageElement && element.complete && element.naturalWidth > 0,
  );
  return found.filter((one, at) => found.findIndex(({ src }) => src === one.src) === at);
}

const newest = (marks: Marks): Element | null => newestAnswer(turnsOf(marks))?.element ?? null;

export function pictures(marks: Marks): PictureLook[] {
  const turn = newest(marks);
  return turn === null ? [] : picturesIn(turn, marks).map(({ src, alt }) => ({ url: src, alt }));
}

/** A link stands at times inside of what else matches. */
function fileElements(marks: Marks): Element[] {
  const turn = newest(marks);
  if (turn === null) return [];
  const found = every(turn, marks.madeFile).filter(isVisible);
  return inOrder(found.filter((element) => !found.some((other) => other !== element && other.contains(element))));
}

export const fileLabels = (marks: Marks): string[] =>
  fileElements(marks).map((element) => elementText(element) || (element.getAttribute("aria-label") ?? ""));

export function aimFile(marks: Marks, at: number): Aim {
  const element = fileElements(marks)[at];
  return element ? aimAt(element, "madeFile") : nowhere;
}

/** With the login of the page, as its own scripts fetch it; the login itself is not read. */
export async function bytes(url: string): Promise<{ base64: string; type: string } | null> {
  try {
    const reply = await fetch(url, { credentials: "include" });
    if (!reply.ok) return null;
    const blob = await reply.blob();
    const text = await new Promise<string>((resolve, reject) => {
      const reader = new FileReader();
      reader.addEventListener("load", () => resolve(String(reader.result)));
      reader.addEventListener("error", () => reject(new TypeError("unreadable")));
      reader.readAsDataURL(blob);
    });
    return { base64: text.slice(text.indexOf(",") + 1), type: blob.type };
  } catch (error) {
    // Another host that does not allow it.
    if (error instanceof TypeError) return null;
    throw error;
  }
}
