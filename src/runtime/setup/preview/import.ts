// Takes over the folder of the public preview: its files are kept aside, its settings are translated. Everything is shown
// before anything is written, and a second try goes on where a first one was cut off.
import { createHash } from "node:crypto";
import { readFileSync, renameSync, rmdirSync } from "node:fs";
import { join } from "node:path";
import { fail, FailureError } from "../../../core/contract/index.ts";
import type { LeftSetting, PreviewImport } from "../../../core/contract/setup/index.ts";
import { namedCrew, translatePreviewConfig } from "../../../core/crew/index.ts";
import { userPolicy } from "../../../core/crew/policy/index.ts";
import { redact } from "../../../core/secrets/index.ts";
import { previewConfigIn } from "../../../platform/config/index.ts";
import { locateTrustedRepository, type RepositoryLocation } from "../../../platform/git/index.ts";
import { entryAt, makeFolder, systemCode, writeDurably } from "../../../platform/system/index.ts";
import { ensureExcluded, stateFolder } from "../../../workspace/checkout/worktree/index.ts";
import { resolveAssignment, resolveCrew } from "../registry.ts";
import type { SetupDeps } from "../deps.ts";
import { previewFolderAt, readRuns, runNames, type PreviewFolder } from "./folder.ts";

interface FoundFolders {
  /** In the checkout, or in the state folder, where an earlier version moved it. */
  readonly source: PreviewFolder | undefined;
  /** Where an earlier import put it. */
  readonly kept: PreviewFolder | undefined;
  readonly keptAt: string;
}

function foldersAt({ root, stateDir }: RepositoryLocation): FoundFolders {
  const mark = join(root, ".thehood");
  const keptAt = join(stateDir, "preview");
  const source = entryAt(mark)?.isDirectory() === true ? mark : stateDir;
  return { source: previewFolderAt(source), kept: previewFolderAt(keptAt), keptAt };
}

/** Whether a folder of the preview waits to be taken over. */
export function holdsPreview(place: RepositoryLocation): boolean {
  try {
    return foldersAt(place).source !== undefined;
  } catch (error) {
    // The command that reads the configuration reports what is wrong with it.
    if (error instanceof FailureError) return false;
    throw error;
  }
}

/** The file would be replaced: a link in its place may lead anywhere. */
function refuseLink(file: string): void {
  if (entryAt(file)?.isFile() === false)
    fail("unsafe_repository", `${file} is not a plain file, so nothing of the preview is taken.`, {
      remedy: "Look at what it is, remove it, then try again; nothing was changed.",
    });
}

const valueAt = (from: unknown, path: readonly string[]): unknown =>
  path.reduce<unknown>((inner, key) => (inner as Readonly<Record<string, unknown>> | undefined)?.[key], from);

type Entries = ReturnType<typeof translatePreviewConfig>["entries"];

const leftRole = (role: string, value: unknown, why: string): LeftSetting => ({
  key: `roles.${role}`,
  value: String(value),
  why,
  command: `thehood roles set ${role} ${String(value)}`,
});

/** An agent that is not known, and a crew that could not work, are shown and not taken. */
async function usableEntries(
  { configs, providers }: SetupDeps,
  root: string,
  entries: Entries,
): Promise<{ entries: Entries; left: LeftSetting[] }> {
  const registry = providers(root);
  const left: LeftSetting[] = [];
  const usable: (typeof entries)[number][] = [];
  for (const entry of entries) {
    const [[top, role = ""], value] = entry;
    const why = top === "roles" ? await reasonAgainst(() => resolveAssignment(registry, String(value), "repo")) : null;
    if (why === null) usable.push(entry);
    else left.push(leftRole(role, value, why));
  }
  const roles = Object.fromEntries(usable.flatMap(([[top, role], value]) => (top === "roles" ? [[role, value]] : [])));
  const before = configs.at(root);
  const after = { ...before, repo: { ...before.repo, roles: { ...before.repo.roles, ...roles } } };
  const by = { kind: "person", surface: "cli" } as const;
  const why = await reasonAgainst(() => resolveCrew(registry, namedCrew(after), { configs: after, by }));
  if (why === null) return { entries: usable, left };
  return {
    entries: usable.filter(([[top]]) => top !== "roles"),
    left: [
      ...left,
      ...Object.entries(roles).map(([role, value]) =>
        leftRole(role, value, `these agents cannot work together: ${why}`),
      ),
    ],
  };
}

/** Null when it works. */
async function reasonAgainst(work: () => Promise<unknown>): Promise<string | null> {
  try {
    await work();
    return null;
  } catch (error) {
    if (error instanceof FailureError) return error.failure.message;
    throw error;
  }
}

async function settingsOf(deps: SetupDeps, root: string, config: unknown) {
  const registered = await deps.providers(root).list();
  const ids = new Set(registered.map(({ id }) => id));
  const translated = translatePreviewConfig(config, userPolicy(deps.configs.user().policy), ids);
  const usable = await usableEntries(deps, root, translated.entries);
  const repo = deps.configs.repo(root);
  const differs = ([path, value]: Entries[number]) => JSON.stringify(valueAt(repo, path)) !== JSON.stringify(value);
  return {
    entries: usable.entries,
    changes: usable.entries
      .filter(differs)
      .map(([path, after]) => ({ key: path.join("."), before: valueAt(repo, path) ?? null, after })),
    left: [...translated.left, ...usable.left].map((one) => ({ ...one, value: redact(one.value).text })),
  };
}

function moveInto(from: string, to: string): void {
  if (entryAt(to)) return;
  try {
    renameSync(from, to);
  } catch (error) {
    // Another process has moved it.
    if (!entryAt(from)) return;
    fail("unsafe_repository", `${from} cannot be moved to ${to} (${systemCode(error) ?? "unknown"}).`, {
      remedy: "Move it there yourself, then run this again. What was moved before is kept.",
    });
  }
}

function makeAll(...folders: readonly string[]): void {
  for (const folder of folders)
    if (entryAt(folder)?.isDirectory() !== true) {
      if (entryAt(folder))
        fail("unsafe_repository", `${folder} is not a plain folder.`, { remedy: "Remove it, then try again." });
      makeFolder(folder);
    }
}

/** A folder with other files stays. */
function removeEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
  }
}

/** Moves the preview's own files; a run that is kept already stays where it is. */
function keepAside(source: PreviewFolder, keptAt: string): void {
  makeAll(keptAt, join(keptAt, "runs"), join(keptAt, "artifacts"));
  for (const part of ["artifacts", "runs"]) {
    const from = join(source.folder, part);
    for (const name of runNames(from)) moveInto(join(from, name), join(keptAt, part, name));
    if (entryAt(from)?.isDirectory() === true) removeEmpty(from);
  }
}

/** The same content is kept once. */
function copyAside(file: string, keptAt: string): void {
  const bytes = readFileSync(file);
  const digest = createHash("sha256").update(bytes).digest("hex").slice(0, 12);
  const aside = join(keptAt, `config-${digest}.json`);
  if (!entryAt(aside)) writeDurably(aside, `${aside}.new`, bytes);
}

export async function importPreview(deps: SetupDeps, folder: string, write: boolean): Promise<PreviewImport> {
  const place = await locateTrustedRepository(folder);
  const { root, repository, stateDir } = place;
  refuseLink(deps.configs.repoFile(root));
  const { source, kept, keptAt } = foldersAt(place);
  const found = source ?? kept;
  if (!found)
    return fail("not_found", `There is no folder of the public preview in ${root}.`, {
      remedy: "Go to the repository in which you used it, or name it with --repo. Nothing was changed.",
    });
  const { entries, changes, left } = await settingsOf(deps, root, source?.config);
  const file = deps.configs.repoFile(root);
  if (write && source) {
    if (repository) ensureExcluded(repository);
    makeAll(...(repository ? [stateDir] : []));
    keepAside(source, keptAt);
    // The file of the preview is replaced in one step, at the end: a try that is cut off before is repeated.
    if (source.config !== undefined) {
      const old = join(source.folder, "config.json");
      // Another process may have taken it over meanwhile: what it wrote stays.
      if (entryAt(old) && previewConfigIn(old) !== undefined) {
        copyAside(old, keptAt);
        deps.configs.replaceRepo(root, entries);
      }
    }
    if (repository) stateFolder(repository);
  }
  const now = write ? previewFolderAt(keptAt) : undefined;
  const { runs, more } = readRuns(now ? [now] : [source, kept].filter((one) => one !== undefined));
  return {
    folder: found.folder,
    kept: keptAt,
    written: write && source !== undefined,
    file,
    changes,
    left,
    runs,
    more,
  };
}
