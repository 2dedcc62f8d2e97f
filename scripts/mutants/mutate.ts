/** The text with its one place replaced, or null when the place is not there or not the only one. */
export function mutate(text: string, search: string, replace: string): string | null {
  const at = text.indexOf(search);
  if (at < 0 || text.includes(search, at + 1)) return null;
  return text.slice(0, at) + replace + text.slice(at + search.length);
}
