// Replaces the clipboard of the tab while a copy button is pressed, in the page's own JavaScript world. The user's
// clipboard is not changed.
import type { ClipboardCode } from "../shapes.ts";

let text: string | null = null;
let restore: (() => void) | null = null;

async function textOf(items: readonly ClipboardItem[]): Promise<string> {
  for (const item of items)
    if (item.types.includes("text/plain")) return await (await item.getType("text/plain")).text();
  return "";
}

function onCopy(event: ClipboardEvent): void {
  const copied = event.clipboardData?.getData("text/plain") || getSelection()?.toString();
  if (copied) text = copied;
  event.preventDefault();
}

const code: ClipboardCode = {
  arm() {
    restore?.();
    text = null;
    const { clipboard } = navigator;
    Object.defineProperties(clipboard, {
      writeText: {
        configurable: true,
        value: (copied: string) => {
          text = String(copied);
          return Promise.resolve();
        },
      },
      write: {
        configurable: true,
        value: async (items: readonly ClipboardItem[]) => {
          text = await textOf(items);
        },
      },
    });
    document.addEventListener("copy", onCopy);
    restore = () => {
      Reflect.deleteProperty(clipboard, "writeText");
      Reflect.deleteProperty(clipboard, "write");
      document.removeEventListener("copy", onCopy);
      restore = null;
    };
  },
  taken: () => text,
  disarm() {
    restore?.();
    text = null;
  },
};
Object.assign(globalThis, { thehoodClipboard: code });
