// "Is it safe to open?" answered by reading files only: no git, no program, nothing of the repository is run.
import { readlinkSync, realpathSync } from "node:fs";
import { join, relative, resolve, sep } from "node:path";
import { entryAt } from "../../platform/system/index.ts";
import { fail } from "../../core/contract/index.ts";
import { findRepository, isOwnLink, type Repository } from "../../platform/git/index.ts";
import { isGitName } from "../../platform/paths/index.ts";
import { bySeverity, shown, type ReportFinding, type RepositoryFinding } from "./finding.ts";
import { reportGitFolder, reportSubmoduleFolders, reportTracked } from "./git-folder.ts";
import { listFolder, readFileText, isOwnWorktree, pointerTarget } from "./read.ts";
import { reportOddName } from "./odd-name.ts";
import { rulesAbout } from "./rules/all.ts";
import { TooDeep, type FileRule } from "./rules/file-rule.ts";
import { reportSteering } from "./steering.ts";

interface Inspection {
  readonly top: string;
  readonly isGit: boolean;
  /** False when a finding has severity `block`: we do not work here. */
  readonly safe: boolean;
  readonly findings: readonly RepositoryFinding[];
  /** Files and folders that were inspected. */
  readonly seen: number;
  /** The folder exceeds the limits of the inspection: there may be more. */
  readonly truncated: boolean;
}

interface InspectLimits {
  readonly entries: number;
  readonly depth: number;
  readonly findings: number;
  readonly milliseconds: number;
}

const usualLimits: InspectLimits = { entries: 100_000, depth: 24, findings: 500, milliseconds: 10_000 };
/** Installed or generated: a tool put the files there, not the clone. Tracked programs in it are found by the index. */
const skipped = new Set(
  "node_modules .thehood .venv venv __pycache__ .tox .gradle .next .nuxt .turbo .cache".split(" "),
);

/** Monotonic, and unlike `performance` it loads nothing. */
const uptimeMs = () => process.uptime() * 1_000;

class Inspector {
  readonly top: string;
  readonly limits: InspectLimits;
  readonly findings: RepositoryFinding[] = [];
  seen = 0;
  truncated = false;
  #links = 0;
  /** Git's folder of the inspected repository. */
  #commonDir: string | undefined;
  readonly #deadline: number;

  constructor(top: string, limits: InspectLimits) {
    this.top = top;
    this.limits = limits;
    this.#deadline = uptimeMs() + limits.milliseconds;
  }

  reportFor(path: string): ReportFinding {
    return (finding) => {
      if (this.findings.length < this.limits.findings) this.findings.push({ path, ...finding });
      else this.truncated = true;
    };
  }

  get #spent(): boolean {
    const spent = this.seen >= this.limits.entries || uptimeMs() > this.#deadline;
    if (spent) this.truncated = true;
    return spent;
  }

  /** Breadth first, so that files near the top are seen even in a tree without end. */
  walk(): void {
    const queue = [{ path: "", depth: 0 }];
    for (let next = queue.shift(); next && !this.#spent; next = queue.shift()) {
      const listed = listFolder(join(this.top, next.path), this.limits.entries - this.seen);
      // Our own worktrees hold the work of runs; their files are judged there, not as files of the checkout.
      const isOurs = next.path.startsWith(".thehood-work/") && this.#isOwnWorktree(`${next.path}/.git`);
      if (!listed || isOurs) continue;
      if (listed.more) this.truncated = true;
      this.#looksBare(
        next.path,
        listed.entries.map((entry) => entry.name),
      );
      for (const entry of listed.entries) {
        this.seen++;
        const path = next.path === "" ? entry.name : `${next.path}/${entry.name}`;
        if (entry.isSymbolicLink()) this.#link(path);
        else if (entry.isDirectory()) {
          if (this.#folder(path, entry.name) && next.depth < this.limits.depth)
            queue.push({ path, depth: next.depth + 1 });
        } else if (entry.isFile()) this.#file(path, entry.name);
      }
    }
  }

  /** Answers whether to go in. */
  #folder(path: string, name: string): boolean {
    if (name === ".git") {
      if (path !== ".git") this.#embedded(path);
      return false;
    }
    if (isGitName(name))
      this.reportFor(path)({
        kind: "git_folder",
        severity: "high",
        what: `a folder named ${shown(name)}`,
        why: "another file system takes it for .git",
        remedy: "Remove it.",
      });
    return !skipped.has(name);
  }

  #embedded(path: string): void {
    this.reportFor(path)({
      kind: "embedded_repository",
      severity: "low",
      what: "a repository inside the repository",
      why: "git and agents that are started in there use its configuration and hooks",
      remedy: "Remove its .git folder if you do not need it.",
    });
    reportGitFolder(join(this.top, path), path, this.reportFor(path));
  }

  #isOwnWorktree(path: string): boolean {
    return this.#commonDir !== undefined && isOwnWorktree(join(this.top, path), this.#commonDir);
  }

  /** A `.git` file: the work tree of a submodule, or one that leads git somewhere else. */
  #pointer(path: string): void {
    const { written, end } = pointerTarget(join(this.top, path));
    const isModule = end.startsWith(join(this.top, ".git", "modules") + sep);
    if (isModule || this.#isOwnWorktree(path)) return;
    this.reportFor(path)({
      kind: "embedded_repository",
      severity: end.startsWith(this.top + sep) ? "high" : "medium",
      what: `a .git file that leads to ${shown(written)}`,
      why: "git and agents that are started in there use the configuration and hooks it leads to",
      remedy: "Remove it if you do not know where it comes from.",
    });
    if (entryAt(end)?.isDirectory()) reportGitFolder(end, path, this.reportFor(path));
  }

  /** A bare repository among the files: git that is started in there takes its configuration. */
  #looksBare(path: string, names: readonly string[]): void {
    if (path === "" || !["HEAD", "objects", "refs"].every((name) => names.includes(name))) return;
    this.reportFor(path)({
      kind: "embedded_repository",
      severity: "high",
      what: "a bare repository among the files",
      why: "git that is started in there takes its configuration and hooks without a question",
      remedy: "Remove the folder, or set safe.bareRepository=explicit.",
    });
    reportGitFolder(join(this.top, path), path, this.reportFor(path));
  }

  #link(path: string): void {
    const target = readlinkSync(join(this.top, path));
    const end = resolve(join(this.top, path, ".."), target);
    const inside = end === this.top || end.startsWith(this.top + sep);
    if (inside && !relative(this.top, end).split(sep).some(isGitName)) return;
    // Our own link to our own state; a tracked one is refused elsewhere.
    if (path === ".thehood" && relative(this.top, end) === join(".git", "thehood")) return;
    if (++this.#links > 20) return;
    this.reportFor(path)({
      kind: "symlink",
      severity: inside ? "high" : "medium",
      what: `leads to ${shown(target)}`,
      why: inside
        ? "a program that writes to it writes into git's folder"
        : "a program that reads or writes it does so outside the repository",
      remedy: "We never follow it. Remove it if you do not need it.",
    });
  }

  #file(path: string, name: string): void {
    const rules = rulesAbout(path);
    for (const rule of rules) this.#ask(rule, path);
    if ([...rules].every(({ onlyHidden }) => onlyHidden)) reportSteering(path, this.reportFor(path));
    reportOddName(path, name, this.reportFor(path));
    if (name === ".git" && path !== ".git") this.#pointer(path);
    else if (name !== ".git" && isGitName(name))
      this.reportFor(path)({
        kind: "git_folder",
        severity: "high",
        what: `a file named ${shown(name)}`,
        why: "another file system takes it for .git",
        remedy: "Remove it.",
      });
  }

  #ask(rule: FileRule, path: string): void {
    try {
      rule.look(readFileText(join(this.top, path)) ?? "", this.reportFor(path), path);
    } catch (error) {
      if (!(error instanceof TooDeep)) throw error;
      this.reportFor(path)({
        kind: "limit",
        severity: "medium",
        what: "nested too deeply to be read",
        why: "what it holds for other programs is not known",
        remedy: "Look at the file yourself, or remove it.",
      });
    }
  }

  /** The repository's own git folder, wherever its `.git` leads. */
  git(repository: Repository): void {
    this.#commonDir = repository.commonDir;
    reportGitFolder(repository.commonDir, ".git", this.reportFor(".git"));
    if (repository.gitDir !== repository.commonDir)
      reportGitFolder(repository.gitDir, ".git (worktree)", this.reportFor(".git"));
    reportSubmoduleFolders(repository.commonDir, ".git", this.reportFor(".git"));
    reportTracked(repository.gitDir, repository.commonDir, this.reportFor(".git"));
    const pointer = entryAt(join(repository.top, ".git"));
    const outside = !repository.gitDir.startsWith(repository.top + sep);
    if (pointer?.isDirectory() === false && outside)
      this.reportFor(".git")({
        kind: "git_folder",
        severity: "low",
        what: `git's folder is elsewhere: ${shown(repository.gitDir)}`,
        why: "that is usual for worktrees and submodules, and odd in a folder that was sent to you",
        remedy: "Check that you made this worktree yourself.",
      });
  }

  state(): void {
    const found = entryAt(join(this.top, ".thehood"));
    const repository = findRepository(this.top);
    if (found && !found.isDirectory() && !(repository && isOwnLink(repository)))
      this.reportFor(".thehood")({
        kind: "product_state",
        severity: "block",
        what: ".thehood is not a plain folder",
        why: "what we write would land elsewhere",
        remedy: "Remove it.",
      });
  }
}

/** Never fails for what is in the folder; only for a folder that is not there. */
export function inspectRepository(dir: string, limits: Partial<InspectLimits> = {}): Inspection {
  if (entryAt(dir) === undefined) fail("not_found", `${dir} does not exist.`, { remedy: "Name a folder that exists." });
  const top = realpathSync(dir);
  const around = findRepository(dir);
  // A folder inside another repository is inspected for its own content: git and agents may be started in it.
  const repository = around?.top === top ? around : undefined;
  const inspector = new Inspector(top, { ...usualLimits, ...limits });
  if (repository) inspector.git(repository);
  inspector.state();
  inspector.walk();
  if (inspector.truncated)
    inspector.findings.push({
      kind: "limit",
      path: "",
      severity: "medium",
      what: `only ${inspector.seen} entries were looked at`,
      why: "the folder is larger than what is looked at, so there may be more",
      remedy: "Look at a part of it: thehood check repo DIR/part",
    });
  const findings = inspector.findings.toSorted(bySeverity);
  return {
    top: inspector.top,
    isGit: repository !== undefined,
    safe: !findings.some((finding) => finding.severity === "block"),
    findings,
    seen: inspector.seen,
    truncated: inspector.truncated,
  };
}
