// The files of a checkout that may be shown to a model: no secrets by name, no dependency or build output, no links.
import { lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { FailureError } from "../../../core/contract/index.ts";
import { fromBytePath, git, isUtf8, splitRecords, type Repository } from "../../../platform/git/index.ts";
import { isGitName, isSecretPath, isStateName, readUnder } from "../../../platform/paths/index.ts";

export interface ShowableFile {
  readonly path: string;
  readonly bytes: number;
}

const skipped =
  /(^|\/)(\.git|\.thehood|node_modules|bower_components|dist|build|out|target|coverage|vendor|\.next|\.nuxt|\.turbo|\.cache|\.venv|venv|__pycache__|\.tox|\.mypy_cache|\.pytest_cache|\.gradle|\.idea|\.vscode)\//;
const binary =
  /\.(png|jpe?g|gif|webp|ico|bmp|tiff?|pdf|zip|gz|tgz|bz2|xz|7z|rar|jar|war|class|so|dylib|dll|exe|o|a|wasm|woff2?|ttf|otf|eot|mp[34]|mov|avi|webm|ogg|wav|flac|sqlite3?|db|bin|dat|pyc)$/i;
const maxFiles = 200_000;
const maxTextBytes = 2_000_000;

/** Never shown, whatever it holds: git's and our own state, dependencies, build output, credentials by name. */
export const isHidden = (path: string): boolean =>
  skipped.test(path) ||
  path.startsWith(".thehood") ||
  isSecretPath(path) ||
  path.split("/").some((name) => isGitName(name) || isStateName(name));

export const isBinaryName = (path: string): boolean => binary.test(path);

const isShowable = (path: string): boolean => !isHidden(path) && !isBinaryName(path);

/** Sorted by path. In a git repository what git lists; elsewhere what is there. */
export async function showableFiles(top: string, repository: Repository | undefined): Promise<ShowableFile[]> {
  return withSizes(top, (await allPaths(top, repository)).filter(isShowable));
}

/** Every path there is to decide about; links and what is gone are dropped with the sizes. */
export const allPaths = async (top: string, repository: Repository | undefined): Promise<string[]> =>
  repository ? listed(repository) : walk(top);

export const withSizes = (top: string, paths: readonly string[]): ShowableFile[] =>
  paths.toSorted().flatMap((path) => {
    const found = lstatSync(join(top, path), { throwIfNoEntry: false });
    return found?.isFile() ? [{ path, bytes: found.size }] : [];
  });

async function listed(repository: Repository): Promise<string[]> {
  const { stdout } = await git(repository, ["ls-files", "-z", "--cached", "--others", "--exclude-standard"]);
  return [...new Set(splitRecords(stdout).filter(isUtf8).map(fromBytePath))];
}

function walk(top: string): string[] {
  const found: string[] = [];
  const visit = (folder: string): void => {
    for (const entry of readdirSync(join(top, folder), { withFileTypes: true })) {
      const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
      if (found.length >= maxFiles) return;
      if (entry.isDirectory() && !isHidden(`${path}/x`)) visit(path);
      else if (entry.isFile()) found.push(path);
    }
  };
  visit("");
  return found;
}

/** The text of a showable file, or undefined when it is gone, too large, binary, or reached through a link. */
export function readShowable(top: string, path: string): string | undefined {
  if (!isShowable(path)) return undefined;
  try {
    const bytes = readUnder(top, path, { maxBytes: maxTextBytes });
    return bytes.includes(0) ? undefined : bytes.toString("utf8");
  } catch (error) {
    if (error instanceof FailureError) return undefined;
    throw error;
  }
}

/** Paths that the last commits touched, latest first, each once. */
export async function recentPaths(repository: Repository | undefined): Promise<string[]> {
  if (!repository) return [];
  const args = ["log", "--format=", "--name-only", "-z", "--no-renames", "--max-count=50", "--no-merges"];
  const { exitCode, stdout } = await git(repository, args, { accept: [0, 128] });
  if (exitCode !== 0) return [];
  const paths = splitRecords(stdout).map((path) => fromBytePath(path).replace(/^\n/, ""));
  return [...new Set(paths.filter((path) => path !== ""))].slice(0, 500);
}
