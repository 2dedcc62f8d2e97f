// Markdown as a page shows it: blocks and inline code, no fences. How a block of code is drawn is the page's own.
import { element } from "./element.ts";

export type DrawCode = (language: string, code: string) => Node;

interface Fence {
  readonly mark: string;
  readonly language: string;
}

function fenceOf(line: string): Fence | null {
  const found = /^(`{3,}|~{3,})\s*([\w+#.-]*)[^`]*$/.exec(line);
  return found ? { mark: found[1] ?? "", language: found[2] ?? "" } : null;
}

const closes = (line: string, mark: string) => {
  const text = line.trim();
  return text.length >= mark.length && text === (mark[0] ?? "").repeat(text.length);
};

function inline(text: string): Node[] {
  return text
    .split(/(`[^`]+`|\*\*[^*]+\*\*)/)
    .filter((part) => part !== "")
    .map((part) => {
      if (part.startsWith("`") && part.endsWith("`") && part.length > 2) return element("code", {}, part.slice(1, -1));
      if (part.startsWith("**") && part.length > 4) return element("strong", {}, part.slice(2, -2));
      return document.createTextNode(part);
    });
}

function prose(lines: readonly string[]): Node[] {
  const blocks = lines
    .join("\n")
    .split(/\n{2,}/)
    .filter((block) => block.trim() !== "");
  return blocks.map((block) => {
    const heading = /^(#{1,4})\s+(.*)$/.exec(block);
    if (heading) return element(`h${(heading[1] ?? "").length}`, {}, ...inline(heading[2] ?? ""));
    const items = block.split("\n");
    if (items.every((item) => /^[-*]\s/.test(item)))
      return element("ul", {}, ...items.map((item) => element("li", {}, ...inline(item.slice(2)))));
    return element("p", {}, ...inline(block));
  });
}

/** A block of code that is still being written has no end yet and is drawn as far as it goes. */
export function drawMarkdown(text: string, drawCode: DrawCode): Node[] {
  const nodes: Node[] = [];
  let open: Fence | null = null;
  let lines: string[] = [];
  for (const line of text.replaceAll("\r\n", "\n").split("\n")) {
    const fence: Fence | null = open ? null : fenceOf(line);
    if (fence) {
      nodes.push(...prose(lines));
      [open, lines] = [fence, []];
    } else if (open && closes(line, open.mark)) {
      nodes.push(drawCode(open.language, `${lines.join("\n")}\n`));
      [open, lines] = [null, []];
    } else lines.push(line);
  }
  if (open) nodes.push(drawCode(open.language, lines.join("\n")));
  else nodes.push(...prose(lines));
  return nodes;
}

/** Colours: each word in an element of its own. */
export function coloured(code: string): Node[] {
  return code
    .split(/(\s+)/)
    .map((word) => (/\S/.test(word) ? element("span", { class: "tok" }, word) : document.createTextNode(word)));
}
