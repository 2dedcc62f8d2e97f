// Inspects a git folder: configuration, hooks, attributes, alternates, and the folders of submodules in it.
import { basename, join } from "node:path";
import { entryAt, targetAt } from "../../platform/system/index.ts";
import { parseIndex, trackedRemedy } from "../../platform/git/index.ts";
import { isStateName } from "../../platform/paths/index.ts";
import { shown, type ReportFinding } from "./finding.ts";
import { reportConfig } from "./git-config.ts";
import { listFolder, readBytes, readFileText } from "./read.ts";
import { reportAttributes } from "./rules/git-files.ts";

const limits = { hooks: 200, submodules: 200, depth: 6, indexBytes: 256 << 20 };

/** `shownAs` is how its files are named in findings: `.git`, `.git/modules/x`, `vendor/x.git`. */
export function reportGitFolder(folder: string, shownAs: string, report: ReportFinding): void {
  for (const name of ["config", "config.worktree"]) {
    const link = entryAt(join(folder, name))?.isSymbolicLink() === true;
    const text = readFileText(join(folder, name));
    if (text !== undefined) reportConfig(text, `${shownAs}/${name}`, report);
    else if (link)
      report({
        kind: "git_folder",
        path: `${shownAs}/${name}`,
        severity: "high",
        what: "the configuration is a symbolic link",
        why: "git reads whatever it leads to",
        remedy: "Replace it by a plain file.",
      });
  }
  reportHooks(folder, shownAs, report);
  const attributes = readFileText(join(folder, "info", "attributes"));
  if (attributes !== undefined) reportAttributes(attributes, `${shownAs}/info/attributes`, report);
  for (const name of ["objects/info/alternates", "objects/info/http-alternates", "info/grafts"]) {
    const text = readFileText(join(folder, name));
    if (text?.trim())
      report({
        kind: "git_folder",
        path: `${shownAs}/${name}`,
        severity: "low",
        what: `objects or history come from elsewhere: ${shown(text)}`,
        why: "git reads objects of that folder as if they were here",
        remedy: "Clone anew, or remove the file if the repository is complete without it.",
      });
  }
}

function reportHooks(folder: string, shownAs: string, report: ReportFinding): void {
  const listed = listFolder(join(folder, "hooks"), limits.hooks);
  for (const { name } of listed?.entries ?? []) {
    if (name.endsWith(".sample")) continue;
    const stats = targetAt(join(folder, "hooks", name));
    if (!stats?.isFile() || (process.platform !== "win32" && (stats.mode & 0o111) === 0)) continue;
    report({
      kind: "git_hook",
      path: `${shownAs}/hooks/${name}`,
      severity: "high",
      what: `an active git hook: ${shown(name)}`,
      why: `run by git itself at ${shown(name)}`,
      remedy: "We run git without hooks. Read it, or remove it.",
    });
  }
}

/** Submodules keep their git folders in `modules`, at the depth of their names. */
export function reportSubmoduleFolders(folder: string, shownAs: string, report: ReportFinding): void {
  const queue = [{ path: join(folder, "modules"), name: `${shownAs}/modules`, depth: 0 }];
  for (let seen = 0; queue.length > 0 && seen < limits.submodules; seen++) {
    const next = queue.shift();
    const listed = next && listFolder(next.path, limits.submodules);
    if (!next || !listed) continue;
    const names = listed.entries.map((entry) => entry.name);
    if (names.includes("HEAD") && names.includes("objects")) reportGitFolder(next.path, next.name, report);
    if (next.depth >= limits.depth) continue;
    for (const entry of listed.entries)
      if (entry.isDirectory() && !["objects", "refs", "logs", "hooks", "info"].includes(entry.name))
        queue.push({
          path: join(next.path, entry.name),
          name: `${next.name}/${basename(entry.name)}`,
          depth: next.depth + 1,
        });
  }
}

/** Our own state among the tracked files: the repository would bring policy of its own. */
export function reportTracked(gitDir: string, commonDir: string, report: ReportFinding): void {
  const bytes = readBytes(join(gitDir, "index"), limits.indexBytes);
  const long = /objectformat\s*=\s*"?sha256/i.test(readFileText(join(commonDir, "config")) ?? "");
  const paths = bytes && parseIndex(bytes, long ? 32 : 20)?.map((entry) => entry.path);
  if (bytes && !paths)
    report({
      kind: "git_folder",
      path: ".git/index",
      severity: "low",
      what: "the index is in a form we do not read",
      why: "what is tracked could not be listed",
      remedy: "Run: git update-index --index-version 2",
    });
  const state = paths?.find((path) => isStateName(path.split("/")[0] ?? ""));
  if (state !== undefined)
    report({
      kind: "product_state",
      path: state,
      severity: "block",
      what: `the repository tracks ${shown(state)}`,
      why: "a clone would bring its own policy, runs or approvals for the runtime",
      remedy: `Policy comes from you. ${trackedRemedy}`,
    });
  const vendored = paths?.find((path) => /(^|\/)node_modules\/\.bin\//.test(path));
  if (vendored !== undefined)
    report({
      kind: "package_config",
      path: vendored,
      severity: "medium",
      what: "tracked programs in node_modules/.bin",
      why: "`npm run` and `npx` start them before any that you installed",
      remedy: "Remove node_modules and install it yourself.",
    });
}
