// What git says of a checkout, told only of files that may be shown.
import { fromBytes, git, isUtf8, splitRecords, type Repository } from "../../git/index.ts";
import { isShowable, readShowable } from "../files.ts";
import { bounded, clean, type ReadPlace } from "./clean.ts";
import { readBounds, refused, type ReadResult } from "./shapes.ts";

const cutNote = "[cut here: name one file]";
const none = refused("This is no git repository with a commit.");

/** The paths that differ from the last commit, with git's letter for how. */
async function changes(repository: Repository): Promise<{ path: string; how: string }[] | undefined> {
  const tracked = await git(repository, ["diff", "--name-status", "--no-renames", "-z", "HEAD", "--"], {
    accept: [0, 128],
  });
  if (tracked.exitCode !== 0) return undefined;
  const words = splitRecords(tracked.stdout).filter(isUtf8).map(fromBytes);
  const listed = [];
  for (let at = 0; at + 1 < words.length; at += 2)
    listed.push({ how: words[at] ?? "", path: words[at + 1] ?? "" });
  const others = await git(repository, ["ls-files", "-z", "--others", "--exclude-standard"]);
  const untracked = splitRecords(others.stdout).filter(isUtf8).map(fromBytes);
  return [...listed, ...untracked.map((path) => ({ how: "?", path }))].filter(({ path }) => isShowable(path));
}

export async function gitStatus(place: ReadPlace, repository: Repository | undefined): Promise<ReadResult> {
  const found = repository ? await changes(repository) : undefined;
  if (!found) return none;
  if (found.length === 0) return { ok: true, text: "Nothing differs.", paths: [], redactions: 0 };
  const lines = found.slice(0, readBounds.entries).map(({ path, how }) => `${how} ${path}`);
  const cleaned = clean(place, bounded(lines, cutNote), "The list");
  return cleaned.shown
    ? { ok: true, text: cleaned.text, paths: [], redactions: cleaned.redactions }
    : refused(cleaned.why);
}

export async function gitDiff(
  place: ReadPlace,
  repository: Repository | undefined,
  { path }: { path?: string | undefined },
): Promise<ReadResult> {
  const found = repository ? await changes(repository) : undefined;
  if (!repository || !found) return none;
  const wanted = found.filter((one) => one.how !== "?" && (path === undefined || one.path === path));
  const parts: string[] = [];
  const paths: string[] = [];
  let redactions = 0;
  for (const one of wanted.slice(0, readBounds.matches)) {
    const cleaned = await diffOf(place, repository, one.path);
    parts.push(...(cleaned.shown ? cleaned.text.trimEnd().split("\n") : [`[${cleaned.why}]`]));
    if (cleaned.shown) {
      paths.push(one.path);
      redactions += cleaned.redactions;
    }
    if (parts.reduce((sum, part) => sum + part.length, 0) > readBounds.resultBytes) break;
  }
  const text = parts.length === 0 ? "Nothing that is shown here differs." : bounded(parts, cutNote);
  return { ok: true, text, paths, redactions };
}

/** The file as it is now is looked at as well: a key of many lines shows its middle only in a hunk. */
async function diffOf(place: ReadPlace, repository: Repository, path: string) {
  const whole = clean(place, readShowable(place.top, path) ?? "", `The difference of ${path}`);
  if (!whole.shown) return whole;
  if (whole.redactions > 0)
    return {
      shown: false as const,
      why: `${path} differs; it holds secrets, so its difference is not shown.`,
    };
  const args = ["diff", "--no-renames", "HEAD", "--", path];
  const { stdout } = await git(repository, args);
  return clean(place, stdout.toString("utf8"), `The difference of ${path}`);
}
