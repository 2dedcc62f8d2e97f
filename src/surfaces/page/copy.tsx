// A button that copies text, also in a saved page that was opened from a file.
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";

async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // A page without the right to the clipboard copies what is selected.
    const box = document.createElement("textarea");
    box.value = text;
    document.body.append(box);
    box.select();
    const copied = document.execCommand("copy");
    box.remove();
    return copied;
  }
}

export function Copy({ text, children }: { text(): string; children: ComponentChildren }) {
  const [copied, set] = useState("");
  const copy = async (): Promise<void> => set((await copyText(text())) ? "copied" : "not copied");
  return (
    <span class="copy">
      <button type="button" onClick={() => void copy()}>
        {children}
      </button>{" "}
      <span class="quiet" role="status">
        {copied}
      </span>
    </span>
  );
}
