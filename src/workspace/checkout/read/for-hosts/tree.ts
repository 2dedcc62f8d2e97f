// A listing to some depth: files with their sizes, deeper folders by their name.
import { listShowable, type SharedFolder } from "./shared-folder.ts";
import type { Veil } from "./veil.ts";

export async function tree(
  place: SharedFolder,
  query: { path: string; depth: number; offset: number; limit: number },
  veil: Veil,
) {
  const { files, hidden } = await listShowable(place, query.path);
  const base = query.path.replace(/^(?:\.\/)+|\/+$/g, "");
  const above = base === "" || base === "." ? 0 : base.split("/").length;
  const entries = new Map<string, { path: string; bytes?: number }>();
  for (const { path, bytes } of files) {
    const parts = path.split("/");
    const deep = parts.length - above > query.depth;
    const shown = deep ? `${parts.slice(0, above + query.depth).join("/")}/` : path;
    if (!entries.has(shown)) entries.set(shown, deep ? { path: shown } : { path: shown, bytes });
  }
  const all = [...entries.values()];
  const end = query.offset + query.limit;
  return {
    entries: all
      .slice(query.offset, end)
      .map((one) => ({ ...one, path: veil.redact(one.path, "file names") })),
    total: all.length,
    next_offset: end < all.length ? end : null,
    hidden,
  };
}
