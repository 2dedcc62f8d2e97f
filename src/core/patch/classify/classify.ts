// Path → what kind of file it is, and whether a change of it needs its own approval.
import { globMatches } from "../../contract/index.ts";
import { anyOf, exactly, type PathKind, type PathRule } from "./rule.ts";
import { pathRules } from "./rules.ts";

export { type PathKind } from "./rule.ts";

const documents = anyOf`
  readme changelog changes history news contributing contributors authors maintainers code[-_]of[-_]conduct
  security support governance license licence copying notice patents roadmap faq glossary
`;
/** Names, and endings of text, that are documentation in any folder. */
const docNames = new RegExp(String.raw`^${documents}(?:[.-][\w-]+)?(?:\.(?:md|markdown|rst|adoc|asciidoc|txt|org))?$`);
const docText = /\.(?:md|markdown|rst|adoc|asciidoc)$/;
const docFolder = /^(?:docs?|documentation|man|wiki)$/;
const docFile = /\.(?:md|markdown|rst|adoc|asciidoc|txt|org|png|jpe?g|gif|webp|pdf)$/;
/** Programs or models read the text in these folders, so it does not count as documentation. */
const liveText = exactly`
  prompts? templates? skills? commands? rules? instructions? content posts? pages? messages locales? i18n
  agents? personas?
`;

interface PathClass {
  /** A change needs its own approval. */
  readonly protected: boolean;
  /** It makes a program run something, or steers an agent. Always protected too. */
  readonly executes: boolean;
  /** `docs` is never combined with another kind, and a protected path never has it. */
  readonly kinds: readonly PathKind[];
}

interface Parts {
  readonly path: string;
  readonly name: string;
  readonly folders: readonly string[];
  readonly cased: { readonly name: string; readonly folders: readonly string[] };
}

function split(path: string): Parts {
  const segments = path.split("/");
  const name = segments.at(-1) ?? "";
  // A name without an ending may be a folder: a link to one, a submodule, or a file that replaces it.
  const within = name.includes(".", 1) ? segments.slice(0, -1) : segments;
  const lower = path.toLowerCase();
  return {
    path: lower,
    name: name.toLowerCase(),
    folders: within.map((folder) => folder.toLowerCase()),
    cased: { name, folders: within },
  };
}

const hasCapital = (name: string) => name !== name.toLowerCase();

/** Agents look for `AGENTS.md`; in a folder of documents `agents.md` is a document about agents. */
const isDocument = (rule: PathRule, { name, folders, cased }: Parts) =>
  rule.kinds.includes("agent") &&
  !hasCapital(cased.name) &&
  docText.test(name) &&
  docFolder.test(folders[0] ?? "") &&
  !folders.some((folder) => folder.startsWith("."));

function matches(rule: PathRule, parts: Parts): boolean {
  if (isDocument(rule, parts)) return false;
  const { cased } = rule;
  return (
    rule.name?.test(parts.name) === true ||
    (parts.name.startsWith(".") && rule.hidden?.test(parts.name) === true) ||
    rule.path?.test(parts.path) === true ||
    (rule.folder !== undefined && parts.folders.some((folder) => rule.folder?.test(folder))) ||
    (cased?.name !== undefined && hasCapital(parts.cased.name) && cased.name.test(parts.cased.name)) ||
    (cased?.folder !== undefined &&
      parts.cased.folders.some((folder) => hasCapital(folder) && cased.folder?.test(folder)))
  );
}

function isDocs({ name, folders }: Parts): boolean {
  if (folders.some((folder) => liveText.test(folder))) return false;
  if (docNames.test(name) || docText.test(name)) return true;
  return docFile.test(name) && folders.some((folder) => docFolder.test(folder));
}

/** The rules of recent paths. A path is classified several times, and V8 compiles a pattern to machine code at its second use. */
const recent = new Map<string, readonly PathRule[]>();

function rulesOf(path: string, parts: Parts): readonly PathRule[] {
  const before = recent.get(path);
  if (before) return before;
  const found = pathRules.filter((rule) => matches(rule, parts));
  if (recent.size >= 256) recent.clear();
  recent.set(path, found);
  return found;
}

export function classifyPath(path: string, extraGlobs: readonly string[] = []): PathClass {
  const parts = split(path.slice(0, 4096));
  const found = rulesOf(path.slice(0, 4096), parts);
  const executes = found.some((rule) => rule.level === "exec");
  const guarded =
    executes ||
    found.some((rule) => rule.level === "protected") ||
    extraGlobs.some((glob) => globMatches(glob, path, { ignoreCase: true }));
  if (!guarded && isDocs(parts)) return { protected: false, executes: false, kinds: ["docs"] };
  const kinds = [...new Set(found.flatMap((rule) => rule.kinds))];
  return { protected: guarded, executes, kinds: kinds.length > 0 ? kinds : ["source"] };
}

export const isProtectedPath = (path: string, extraGlobs: readonly string[] = []): boolean =>
  classifyPath(path, extraGlobs).protected;
