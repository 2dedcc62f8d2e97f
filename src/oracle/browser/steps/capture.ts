// The text of a finished answer: the text of the copy button when it agrees with the page, else the page's text.
import type { Captured } from "../shapes.ts";
import { aimAt, rest, tryPress, type Drive } from "./context.ts";
import { essence } from "./send.ts";

export interface Text {
  readonly text: string;
  readonly html: string;
  readonly source: "copy_button" | "dom";
  /** Parts of the answer that stayed folded: the text lacks them. */
  readonly folded: number;
}

const lines = (text: string) =>
  text
    .replaceAll("\r\n", "\n")
    .replaceAll(/[ \t]+$/gm, "")
    .trim();

/** Copied text is used only when it matches the page: at least 70 % of its length, every code block whole, and its end. */
export function agrees(copied: string, shown: Captured): boolean {
  if (copied.trim() === "" || copied.length < shown.markdown.length * 0.7) return false;
  const whole = lines(copied);
  if (!shown.code.every((code) => code.includes("```") || whole.includes(lines(code)) || indented(whole, code)))
    return false;
  const copiedText = essence(copied);
  const tail = essence(shown.markdown.replaceAll(/\]\([^)]*\)/g, "]")).slice(-24);
  return copiedText.includes(tail);
}

/** A block in a list is indented in the source. */
const indented = (whole: string, code: string) => essence(whole).includes(essence(code));

export async function captureAnswer(drive: Drive): Promise<Text | null> {
  const { tab, site, log } = drive;
  const shown = await tab.page("captureOpen", site.marks);
  if (shown === null) return null;
  const copied = await copy(drive);
  if (copied !== null && agrees(copied, shown))
    return { text: copied, html: shown.html, source: "copy_button", folded: 0 };
  log(
    copied === null
      ? "the copy button gave nothing; taking the page's text"
      : "the copied text is not what the page shows; taking the page's text",
  );
  return { text: shown.markdown, html: shown.html, source: "dom", folded: shown.folded };
}

async function copy(drive: Drive): Promise<string | null> {
  const { tab, site } = drive;
  const aim = await aimAt(drive, "copy", "answer");
  if (!aim.found) return null;
  await tab.clipboard("arm");
  try {
    await tab.hover(aim);
    if (!(await tryPress(drive, "copy", "answer"))) return null;
    const end = Date.now() + site.times.copyMs;
    let last: string | null = null;
    while (Date.now() < end) {
      await rest(100, drive);
      const text = await tab.clipboard("taken");
      if (text !== null && text === last) return text;
      last = text;
    }
    return null;
  } finally {
    await tab.clipboard("disarm");
  }
}
