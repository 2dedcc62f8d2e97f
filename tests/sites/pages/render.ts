// Markdown as the sites show it: HTML without fences, code with a header, coloured words, folded blocks, line numbers.
import type { Scenario } from "../scenario.ts";

const escapes: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
export const escape = (text: string): string => text.replaceAll(/[&<>"]/g, (char) => escapes[char] ?? char);

const inline = (text: string) =>
  escape(text)
    .replaceAll(/`([^`]+)`/g, "<code>$1</code>")
    .replaceAll(/\*\*([^*]+)\*\*/g, "<strong>$1</strong>");

function codeLine(line: string, number: number, { highlight, lineNumbers }: Scenario): string {
  const words = highlight
    ? line
        .split(/(\s+)/)
        .map((word) => (/\S/.test(word) ? `<span class="tok">${escape(word)}</span>` : word))
        .join("")
    : escape(line);
  return lineNumbers ? `<span data-line-number="${number}">${number}</span>${words}` : words;
}

export interface CodeSkin {
  code(html: string, language: string, folded: boolean): string;
}

/** `whole` is false while the answer is being written: its last block may be open. */
export function render(markdown: string, scenario: Scenario, skin: CodeSkin): string {
  const out: string[] = [];
  const lines = markdown.split("\n");
  let words: string[] = [];
  const flush = () => {
    const text = words.join("\n").trim();
    if (text !== "")
      out.push(
        text
          .split(/\n{2,}/)
          .map((part) => paragraph(part))
          .join(""),
      );
    words = [];
  };
  for (let at = 0; at < lines.length; at += 1) {
    const open = /^(`{3,})(\S*)\s*$/.exec(lines[at] ?? "");
    if (!open) {
      words.push(lines[at] ?? "");
      continue;
    }
    flush();
    const body: string[] = [];
    for (at += 1; at < lines.length && lines[at] !== open[1]; at += 1) body.push(lines[at] ?? "");
    const html = body.map((line, index) => codeLine(line, index + 1, scenario)).join("\n");
    out.push(skin.code(`${html}\n`, open[2] ?? "", scenario.collapsed));
  }
  flush();
  return out.join("");
}

function paragraph(text: string): string {
  const heading = /^(#{1,6}) (.*)$/.exec(text);
  if (heading) return `<h${heading[1]?.length}>${inline(heading[2] ?? "")}</h${heading[1]?.length}>`;
  const items = text.split("\n");
  if (items.every((item) => item.startsWith("- ")))
    return `<ul>${items.map((item) => `<li>${inline(item.slice(2))}</li>`).join("")}</ul>`;
  return `<p>${inline(text)}</p>`;
}
