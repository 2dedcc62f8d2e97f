// One file or a listing for a client: opened by the path judge, hidden by its real path, redacted as a whole.
import { fail } from "../../../../core/contract/index.ts";
import { openUnder, readUnder } from "../../../../platform/paths/index.ts";
import { isBinaryName, isHidden } from "../files.ts";
import { type SharedFolder, listShowable, type Veil } from "./shared-folder.ts";

const largest = 4 << 20;

function refuseHidden(path: string, asked: string): void {
  if (!isHidden(path)) return;
  fail("permission_denied", `path: ${JSON.stringify(asked)} is not shown to programs.`, {
    remedy: "Secrets, dependencies, build output and git's own files stay with the user.",
  });
}

export function readForHost({ root }: SharedFolder, asked: string, veil: Veil) {
  refuseHidden(asked.replace(/^(?:\.\/)+/, ""), asked);
  let place: string;
  let bytes: number;
  {
    using file = openUnder(root, asked, "read");
    place = file.path;
    bytes = file.stats.size;
  }
  // A link inside the checkout may lead to a hidden file, so its target is judged.
  refuseHidden(place, asked);
  if (isBinaryName(place)) return { path: place, bytes, binary: true, text: "" };
  if (bytes > largest)
    fail("invalid_input", `path: ${JSON.stringify(asked)} has ${bytes} bytes, more than is read for a client.`, {
      remedy: "Search it with thehood_repo_search, or let a person open it.",
    });
  const content = readUnder(root, place, { maxBytes: largest });
  if (content.subarray(0, 8_000).includes(0)) return { path: place, bytes, binary: true, text: "" };
  return { path: place, bytes, binary: false, text: veil.redact(content.toString("utf8"), place) };
}

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
    entries: all.slice(query.offset, end).map((one) => ({ ...one, path: veil.redact(one.path, "file names") })),
    total: all.length,
    next_offset: end < all.length ? end : null,
    hidden,
  };
}
