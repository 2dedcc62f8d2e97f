// A rendered answer back to Markdown. The text of a code block is taken as it is, byte for byte.

/** A text may hold more of them than a function takes arguments. */
const longestOf = (found: Iterable<RegExpMatchArray>): number => {
  let longest = 0;
  for (const [run] of found) longest = Math.max(longest, run.length);
  return longest;
};

const fenceFor = (text: string): string => {
  const longest = longestOf(text.matchAll(/`{3,}/g));
  return "`".repeat(Math.max(3, longest + 1));
};

function languageOf(pre: Element, code: Element): string {
  for (const element of [code, pre, ...pre.querySelectorAll("[class*='language-']")]) {
    const named = /(?:^|\s)lang(?:uage)?-([\w+#.-]+)/.exec(element.getAttribute("class") ?? "");
    if (named) return named[1] ?? "";
  }
  return languageInHeader(pre, code);
}

/** Some pages name the language only in the header of the block. */
function languageInHeader(pre: Element, code: Element): string {
  const box = pre.closest("code-block, figure") ?? pre;
  for (const element of box.querySelectorAll("div, span")) {
    if (code.contains(element)) return "";
    const text = element.childElementCount === 0 ? (element.textContent ?? "").trim() : "";
    if (/^[A-Za-z][\w+#.-]{0,19}$/.test(text)) return text.toLowerCase();
  }
  return "";
}

/** The viewer of an editor has an element for each line and no line ends. */
const codeOf = (pre: Element): Element => pre.querySelector("code") ?? pre.querySelector(".cm-content") ?? pre;

function textOf(code: Element): string {
  const lines = [...code.querySelectorAll(".cm-line")];
  return lines.length === 0 ? (code.textContent ?? "") : lines.map((line) => `${line.textContent ?? ""}\n`).join("");
}

/** The code without line numbers, headers and buttons inside it. */
export function codeText(pre: Element, noise: readonly string[]): string {
  const code = codeOf(pre);
  if (noise.length === 0) return textOf(code);
  const copy = code.cloneNode(true) as Element;
  for (const element of copy.querySelectorAll(noise.join(","))) element.remove();
  return textOf(copy);
}

function block(pre: Element, noise: readonly string[]): string {
  const text = codeText(pre, noise);
  const fence = fenceFor(text);
  const code = codeOf(pre);
  return `${fence}${languageOf(pre, code)}\n${text}${text.endsWith("\n") ? "" : "\n"}${fence}`;
}

const skipped = new Set(["BUTTON", "SCRIPT", "STYLE", "SVG", "TEMPLATE", "INPUT", "TEXTAREA", "SELECT"]);

function inline(node: Node): string {
  if (node.nodeType === Node.TEXT_NODE) return (node.nodeValue ?? "").replaceAll(/[\n\t ]+/g, " ");
  if (!(node instanceof Element) || skipped.has(node.tagName.toUpperCase())) return "";
  const inside = () => [...node.childNodes].map(inline).join("");
  switch (node.tagName) {
    case "BR":
      return "\n";
    case "STRONG":
    case "B":
      return `**${inside().trim()}**`;
    case "EM":
    case "I":
      return `*${inside().trim()}*`;
    case "DEL":
    case "S":
      return `~~${inside().trim()}~~`;
    case "CODE": {
      const text = node.textContent ?? "";
      const longest = longestOf(text.matchAll(/`+/g));
      const tick = "`".repeat(longest + 1);
      const pad = text.startsWith("`") || text.endsWith("`") ? " " : "";
      return `${tick}${pad}${text}${pad}${tick}`;
    }
    case "A": {
      const target = node.getAttribute("href") ?? "";
      const text = inside();
      return /^https?:/.test(target) && text.trim() !== "" ? `[${text}](${target})` : text;
    }
    default:
      return inside();
  }
}

function list(element: Element, noise: readonly string[], ordered: boolean): string {
  const start = Number(element.getAttribute("start") ?? "1");
  return [...element.children]
    .filter((child) => child.tagName === "LI")
    .map((item, index) => {
      const mark = ordered ? `${start + index}. ` : "- ";
      const body = blocks(item, noise).join("\n\n");
      return mark + body.replaceAll("\n", `\n${" ".repeat(mark.length)}`);
    })
    .join("\n");
}

function table(element: Element): string {
  const rows = [...element.querySelectorAll("tr")].map((row) =>
    [...row.children].map((cell) => inline(cell).trim().replaceAll("|", "\\|")),
  );
  const [head, ...rest] = rows;
  if (!head) return "";
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rest.map(line)].join("\n");
}

const blockTags = new Set(
  "P DIV SECTION ARTICLE PRE UL OL TABLE BLOCKQUOTE H1 H2 H3 H4 H5 H6 HR DETAILS FIGURE HEADER FOOTER LI".split(" "),
);

const isBlock = (node: Node) =>
  node instanceof Element && (blockTags.has(node.tagName) || node.querySelector("pre,p,ul,ol,table") !== null);

function oneBlock(element: Element, noise: readonly string[]): string[] {
  const heading = /^H([1-6])$/.exec(element.tagName);
  if (heading) return [`${"#".repeat(Number(heading[1]))} ${inline(element).trim()}`];
  switch (element.tagName) {
    case "PRE":
      return [block(element, noise)];
    case "UL":
      return [list(element, noise, false)];
    case "OL":
      return [list(element, noise, true)];
    case "TABLE":
      return [table(element)];
    case "HR":
      return ["---"];
    case "BLOCKQUOTE":
      return [blocks(element, noise).join("\n\n").replaceAll(/^/gm, "> ")];
    default:
      return blocks(element, noise);
  }
}

/** The blocks of an element in order; inline content between blocks is a paragraph of its own. */
export function blocks(element: Element, noise: readonly string[]): string[] {
  const out: string[] = [];
  let inlineText = "";
  const flush = () => {
    const text = inlineText.replaceAll(/ *\n */g, "\n").trim();
    if (text !== "") out.push(text);
    inlineText = "";
  };
  for (const child of element.childNodes) {
    if (child instanceof Element && noise.length > 0 && child.matches(noise.join(","))) continue;
    if (isBlock(child)) {
      flush();
      if (!skipped.has((child as Element).tagName)) out.push(...oneBlock(child as Element, noise));
    } else inlineText += inline(child);
  }
  flush();
  return out;
}

export const toMarkdown = (bodies: readonly Element[], noise: readonly string[]): string =>
  bodies.flatMap((body) => (body.tagName === "PRE" ? [block(body, noise)] : blocks(body, noise))).join("\n\n");
