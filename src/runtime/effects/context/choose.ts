// Chooses the files a decider should see first, for any layout: by goal, names, imports, history and size.

const stop = new Set(
  "the a an and or of to in on for with from into that this then when make makes made add adds fix fixes use uses should must not is are be it its as by at we you our all any new old more less than so do does done can could would will please need needs want code file files test tests".split(
    " ",
  ),
);

/** `parseUserName` and `parse_user-name` are the same three words. */
function wordsOfText(text: string): string[] {
  return text
    .replaceAll(/([a-z0-9])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word.length >= 3);
}

function wordsOfGoal(goal: string): Set<string> {
  return new Set(wordsOfText(goal).filter((word) => !stop.has(word)));
}

/** Things in a text that look like a path: with a slash or with an extension. */
function pathsInText(text: string): string[] {
  const found = text.matchAll(
    /[A-Za-z0-9_@.~-]*(?:\/[A-Za-z0-9_@.~[\]()-]+)+|[A-Za-z0-9_-]+\.[A-Za-z][A-Za-z0-9]{0,5}\b/g,
  );
  return [...new Set([...found].map((match) => match[0].replace(/^\.\//, "").replace(/[.)]+$/, "")))];
}

interface Candidate {
  readonly path: string;
  readonly bytes: number;
}

export interface FileChoice {
  readonly path: string;
  /** Asked for by name, so more of it may be shown. */
  readonly named: boolean;
}

interface ContextQuestion {
  readonly goal: string;
  /** Paths someone asked for. */
  readonly paths: readonly string[];
  readonly files: readonly Candidate[];
  /** Paths of recent commits, latest first. */
  readonly recent: readonly string[];
  readonly limit: number;
}

/** Named files first, then by score; the same question always gives the same answer. */
export function chooseFiles(question: ContextQuestion): FileChoice[] {
  const named = resolveNames([...question.paths, ...pathsInText(question.goal)], question.files);
  const words = wordsOfGoal(question.goal);
  const recency = new Map([...new Set(question.recent)].map((path, index) => [path, index]));
  const scored = question.files
    .filter(({ path }) => !named.includes(path))
    .map((file) => ({ path: file.path, score: score(file, words, recency) }))
    .filter((entry) => entry.score > -20)
    .toSorted((a, b) => b.score - a.score || (a.path < b.path ? -1 : 1));
  return [...named.map((path) => ({ path, named: true })), ...scored.map(({ path }) => ({ path, named: false }))].slice(
    0,
    question.limit,
  );
}

/** A name means the file of that path, else the only file whose path ends with it. Folders are not resolved. */
export function resolveNames(names: readonly string[], files: readonly Candidate[]): string[] {
  const found: string[] = [];
  for (const name of names) {
    const exact = files.find(({ path }) => path === name);
    const ends = exact ? [exact] : files.filter(({ path }) => path.endsWith(`/${name}`));
    const [only] = ends;
    if (only && ends.length === 1 && !found.includes(only.path)) found.push(only.path);
  }
  return found;
}

const manifests =
  /^(package\.json|pyproject\.toml|setup\.py|cargo\.toml|go\.mod|pom\.xml|build\.gradle(\.kts)?|composer\.json|gemfile|mix\.exs|deno\.jsonc?|makefile|justfile)$/;
const entries = /^(index|main|app|cli|server|lib|mod|__init__|__main__|program)\.[a-z]+$/;
const generated =
  /(^|\/)(package-lock\.json|yarn\.lock|pnpm-lock\.yaml|cargo\.lock|go\.sum|poetry\.lock|composer\.lock|gemfile\.lock|bun\.lockb?)$|\.min\.(js|css)$|\.(map|svg|snap|lock)$/;

function score(file: Candidate, words: ReadonlySet<string>, recency: ReadonlyMap<string, number>): number {
  const path = file.path.toLowerCase();
  const parts = path.split("/");
  const name = parts.at(-1) ?? "";
  const inName = matches(wordsOfText(file.path.split("/").at(-1) ?? ""), words);
  const inFolders = matches(wordsOfText(file.path.split("/").slice(0, -1).join("/")), words);
  const rank = recency.get(file.path);
  let total = inName * 20 + inFolders * 8;
  if (rank !== undefined) total += Math.max(0, 10 - rank * 0.2);
  if (parts.length === 1 && name.startsWith("readme")) total += 15;
  if (manifests.test(name)) total += parts.length === 1 ? 14 : 4;
  if (entries.test(name)) total += 5;
  total -= Math.max(0, parts.length - 3);
  if (file.bytes > 64_000) total -= 5;
  if (file.bytes > 200_000) total -= 15;
  if (file.bytes === 0) total -= 10;
  if (generated.test(path)) total -= 40;
  return total;
}

/** Words match when one begins with the other: `login` and `logins`, `auth` and `authentication`. */
function matches(own: readonly string[], words: ReadonlySet<string>): number {
  let count = 0;
  for (const word of new Set(own))
    for (const wanted of words) if (word.startsWith(wanted) || (word.length > 3 && wanted.startsWith(word))) count += 1;
  return count;
}
