// Parts of a page that are made from the code, between two marks: the rest of the page is written by hand.

const begin = (name: string): string => `<!-- made: ${name} -->`;
const end = "<!-- /made -->";

/** The page with each part as the code makes it now; a part without its place, or a place without its part, is a mistake. */
export function withParts(page: string, parts: Readonly<Record<string, string>>): string {
  const places = [...page.matchAll(/^<!-- made: ([\w-]+) -->$/gm)].map(([, name]) => name ?? "");
  const lost = Object.keys(parts).filter((name) => !places.includes(name));
  if (lost.length > 0) throw new Error(`The page has no place for: ${lost.join(", ")}`);
  return places.reduce((text, name) => {
    const part = Object.hasOwn(parts, name) ? parts[name] : undefined;
    if (part === undefined) throw new Error(`Nothing makes the part ${name}.`);
    const from = text.indexOf(begin(name)) + begin(name).length;
    const to = text.indexOf(end, from);
    if (to < 0) throw new Error(`The part ${name} has no end.`);
    return `${text.slice(0, from)}\n\n${part}\n\n${text.slice(to)}`;
  }, page);
}

const cell = (text: string): string => text.replaceAll("|", "\\|").replaceAll("\n", " ");

export const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => "---"), ...rows].map((row) => `| ${row.map(cell).join(" | ")} |`).join("\n");

export const code = (text: string): string => `\`${text}\``;
export const codes = (texts: readonly string[]): string => texts.map(code).join(", ");
