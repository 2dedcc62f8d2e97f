// The rules of `--strict-diff` (T-15) and of the path prefix (T-16), for callers that already have a diff.
import { encodeUtf8 } from "../bytes.ts";
import { pathReason } from "../judge/paths.ts";
import { underPrefix } from "../judge/policy.ts";
import { readHunkHeader } from "../read/hunk.ts";
import { readText } from "../read/read.ts";

/** Why strict mode refuses the diff, as a sentence, or undefined. */
export function strictFault(text: string): string | undefined {
  const { patch, problems, names } = readText(encodeUtf8(text));
  const [problem] = problems;
  if (problem) return problem.message;
  for (const { name } of names) {
    const reason = pathReason(name);
    if (reason) return `The path ${JSON.stringify(name.path.slice(0, 120))} is refused (${reason})`;
  }
  const plain = patch.sections.every(({ header }) => header.old.prefix === "a/" && header.new.prefix === "b/");
  if (!plain) return 'A header does not name "a/…" and "b/…"';
  if (!patch.sections.some(({ files }) => files !== null)) return 'There is neither a "--- a/…" nor a "+++ b/…" line';
  const vague = text.split(/\r?\n/).find((line) => line.startsWith("@@") && !readHunkHeader(line));
  return vague === undefined ? undefined : `"${vague.slice(0, 60)}" is not a hunk header with line numbers`;
}

/** Every path of the diff that is outside the prefix: headers, ---/+++, rename and copy lines. */
export function pathsOutside(text: string, prefix: string): string[] {
  const names = readText(encodeUtf8(text)).names.map(({ name }) => name.path);
  return [...new Set(names.filter((path) => !underPrefix(path, prefix)))].sort();
}
