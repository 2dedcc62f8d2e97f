// A diff in which the characters of HTML are written as entities, as a page shows its source.
const entity = /&(lt|gt|amp|quot|apos|#39|#x27|#34|#x22);/g;
const characters: Record<string, string> = {
  lt: "<",
  gt: ">",
  amp: "&",
  quot: '"',
  apos: "'",
  "#39": "'",
  "#x27": "'",
  "#34": '"',
  "#x22": '"',
};

/** The text with entities replaced once; undefined when it has none. */
export function unescapeHtml(text: string): string | undefined {
  if (text.search(entity) === -1) return undefined;
  return text.replaceAll(entity, (_whole, name: string) => characters[name] ?? "");
}
