// An editable element as ProseMirror and Quill keep it: a paragraph for each line, and a text that only real input changes.
import { element } from "./element.ts";

export interface Editor {
  readonly node: HTMLElement;
  /** The text as the editor knows it: what was put into the element without an input event is not in it. */
  text: () => string;
  clear: () => void;
}

function linesOf(node: HTMLElement): string {
  const blocks = [...node.childNodes].map((child) => {
    if (child instanceof HTMLElement && child.tagName === "BR") return "";
    if (!(child instanceof HTMLElement)) return child.textContent ?? "";
    const text = child.cloneNode(true) as HTMLElement;
    for (const pill of text.querySelectorAll("[data-inline-selection-pill]")) pill.remove();
    return (text.childNodes.length === child.childNodes.length ? child : text).innerText.replace(/\n$/, "");
  });
  // A browser keeps an empty paragraph behind a text that was typed before it.
  return blocks.join("\n").replaceAll("\u00a0", " ").replace(/\n+$/, "");
}

/** A text in the first paragraph breaks at its line ends only when the element keeps white space, as both editors do. */
export function makeEditor(node: HTMLElement, changed: () => void): Editor {
  let known = "";
  node.style.whiteSpace = "pre-wrap";
  const empty = () => node.replaceChildren(element("p", {}, element("br")));
  empty();
  node.addEventListener("input", () => {
    known = linesOf(node);
    if (node.childNodes.length === 0) empty();
    changed();
  });
  return {
    node,
    text: () => known,
    clear: () => {
      known = "";
      empty();
      changed();
    },
  };
}

/** Enter sends, with shift it begins a line. */
export function onEnter(node: HTMLElement, send: () => void): void {
  node.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    send();
  });
}
