// The bundle as one readable text. The text between two fences is the file byte for byte; the heading says when its
// last line has no end.
import { extname } from "node:path";
import { bytesOf, steadily } from "./pass.ts";
import { createOpener, type FileOpener } from "./read/open.ts";
import type { BundledFile, BundlePlan, BundleRequest, Excluded } from "./shapes.ts";

interface TextOptions {
  /** Off by default: they cost about a third more tokens, and a copy of them is not the file. */
  readonly lineNumbers?: boolean;
  readonly secrets?: BundleRequest["secrets"];
}

export async function writeText(
  plan: BundlePlan,
  options: TextOptions = {},
): Promise<{ plan: BundlePlan; text: string }> {
  const { plan: packed, result } = await steadily(plan, async (now) => {
    using opener = createOpener(now.root);
    return now.files.map((file) => section(now, file, options, opener));
  });
  return { plan: packed, text: [...result, ...leftOut(packed.excluded)].join("\n") };
}

function section(plan: BundlePlan, file: BundledFile, options: TextOptions, opener: FileOpener): string {
  const content = Buffer.concat([...bytesOf(plan, file, options.secrets, opener)]).toString("utf8");
  return formatFile(file.path, content, { ...options, redacted: file.redacted === true });
}

/** One file with its heading and fences. */
export function formatFile(
  path: string,
  content: string,
  options: { lineNumbers?: boolean; redacted?: boolean } = {},
): string {
  const notes = [
    content === "" ? "empty" : content.endsWith("\n") ? "" : "no newline at the end",
    options.redacted ? "secrets replaced" : "",
    options.lineNumbers ? "line numbers added" : "",
  ].filter((note) => note !== "");
  const heading = `### File: ${path}${notes.length > 0 ? ` (${notes.join(", ")})` : ""}\n`;
  if (content === "") return heading;
  const shown = options.lineNumbers ? numbered(content) : content;
  const fence = fenceFor(shown);
  return `${heading}${fence}${languageOf(path)}\n${shown}${shown.endsWith("\n") ? "" : "\n"}${fence}\n`;
}

/** Longer than any run of backticks inside, so that nothing inside can close it. */
export function fenceFor(content: string): string {
  let longest = 2;
  for (const [run] of content.matchAll(/`{3,}/g)) longest = Math.max(longest, run.length);
  return "`".repeat(longest + 1);
}

const languageOf = (path: string): string => /^\.([a-z0-9+-]{1,12})$/i.exec(extname(path))?.[1]?.toLowerCase() ?? "";

function numbered(content: string): string {
  const lines = content.split("\n");
  const last = lines.at(-1) === "" ? lines.pop() : undefined;
  const width = String(lines.length).length;
  return (
    lines.map((line, index) => `${String(index + 1).padStart(width)} | ${line}`).join("\n") +
    (last === undefined ? "" : "\n")
  );
}

const mostListed = 100;

/** Files that a reader may miss: not ignored ones and not those that the caller excluded. */
function leftOut(excluded: readonly Excluded[]): string[] {
  const listed = excluded.filter(
    ({ reason }) => reason !== "ignored" && reason !== "excluded_by_pattern" && reason !== "outside_root",
  );
  if (listed.length === 0) return [];
  const lines = listed
    .slice(0, mostListed)
    .map(({ path, reason }) => `- ${JSON.stringify(path).slice(1, -1)} (${reason})`);
  if (listed.length > mostListed) lines.push(`- and ${listed.length - mostListed} more`);
  return [`### Left out on purpose\n${lines.join("\n")}\n`];
}
