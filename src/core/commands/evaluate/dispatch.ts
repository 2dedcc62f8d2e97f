// Finds the judge of a command's program and calls it with the methods of `CommandCall`; judges paths that are read or
// written.
import type { CommandClass, Span } from "../../contract/index.ts";
import type { Arg, BaseFile, CommandCall, Feed } from "../call.ts";
import { credentialIn, credentialWritten, dependsOnContent, isWholeHome, steers } from "../paths/credentials.ts";
import { isOutside, isScratch, isTemporaryPath, moveTo, resolveArgument } from "../paths/path-class.ts";
import { alwaysRunsCode, judgeForeign, runsProjectCode } from "../programs/foreign.ts";
import { findProgramJudge } from "../programs/programs.ts";
import { runsOwnScript } from "../programs/build.ts";
import { isLiteral, showPattern } from "../lexer/pattern.ts";
import { severity } from "../verdict.ts";
import { isNowhere, mayDelete, mayRunCode } from "./where.ts";
import type { Walk } from "./walk.ts";

const reserved = new Set(["}", "then", "fi", "do", "done", "esac", "else", "elif", "in", "{", "]]", ")"]);
const binFolders =
  /^(\/usr(\/local)?)?\/s?bin$|^\/opt\/(homebrew|local)\/s?bin$|^\/snap\/bin$|^\/usr\/local\/go\/bin$|^\/opt\/(mini|ana)conda3(\/envs\/[\w.-]+)?\/bin$/;
/** Tools that a package manager put into the project. */
const projectBin = /(^|\/)(node_modules\/\.bin|vendor\/bin|\.?venv\/bin)$/;
/** Build tools that a project contains under a fixed name. */
const buildWrapper = /(^|\/)(gradlew|mvnw)$/;

export function dispatch(walk: Walk, args: readonly Arg[], span: Span, feed: Feed, dynamic = false, depth = 0): void {
  const [first, ...rest] = args;
  if (!first) return;
  if (first.text.includes("/") && !buildWrapper.test(first.text))
    if (runsOwnScript(callOf(walk, first.text, rest, span, feed, depth), first, rest)) return;
  const name = programName(walk, first, dynamic);
  if (name === undefined) return;
  walk.setting.budget.left -= 1;
  if (depth > 24 || walk.setting.budget.left < 0)
    return walk.report("unknown", "Commands are nested too deeply to be followed", span);
  // Wrappers start programs, never functions.
  if (depth === 0 && callsFunction(walk, name, span)) {
    walk.cwd = walk.leaves.get(name) ?? walk.cwd;
    // The use of the arguments inside the function is not traced.
    rest.forEach((arg) => readPath(walk, arg));
    if (walk.runsArguments) dispatch(walk, rest, span, feed, false, depth + 1);
    if (!findProgramJudge(name)) return walk.report("read_only", `${name} is a function of this line`, span);
  }
  const program = findProgramJudge(name);
  // By its bare name it is a program that the user has installed.
  const showsInfo =
    isHelp(rest) && !ignoresHelp.test(name) && !(!rest[0]?.text.startsWith("--") && readsCode.test(name));
  if (!program && feed.kind === "none" && showsInfo)
    return walk.report("read_only", `${name} only tells about itself`, span);
  if (!program) return walk.report("unknown", `${name} is not a program this judge knows`, first.span);
  const before = walk.findings.length;
  if (showsInfo) return walk.report("read_only", `${name} only tells about itself`, span);
  const call = callOf(walk, name, rest, span, feed, depth);
  program(call);
  const found = walk.findings.slice(before);
  const runsCode = alwaysRunsCode(name) || found.some((finding) => finding.class !== "read_only");
  if (runsCode && !found.some((finding) => finding.gated && !isLocalWriteAway(walk, finding.class)))
    judgeForeign(call, name, (path) => isAway(walk, path));
  if (walk.findings.length === before) walk.report("read_only", `${name} only reads`, span);
}

const isLocalWriteAway = (walk: Walk, kind: CommandClass) =>
  kind === "local_write" && isOutside(walk.cwd, walk.setting.where);

const isInside = (walk: Walk, path: string) => resolveArgument(path, walk.cwd, walk.setting.root).kind === "inside";

function baseFile(walk: Walk, path: string): BaseFile {
  const location = resolveArgument(path, walk.cwd, walk.setting.root);
  return location.kind === "inside" && isLiteral(location.path) ? walk.setting.baseFile(location.path) : "unknown";
}

function isAway(walk: Walk, path: string): boolean {
  const { kind, path: place } = resolveArgument(path, walk.cwd, walk.setting.root);
  if (kind === "outside" && walk.setting.where === "worktree" && (isScratch(place) || isNowhere(walk, place)))
    return false;
  return kind === "outside" || kind === "device";
}

const callsFunction = (walk: Walk, name: string, { start }: Span) => (walk.functions.get(name) ?? Infinity) <= start;

/** Shells and editors use `-V` differently and run the code that they read. */
const readsCode =
  /^(sh|dash|ash|r?bash|[mp]?d?ksh\d*|zsh|fish|yash|busybox|g?vim?|nvim|vimdiff|view|ex|ed|tclsh|wish|expect)$/;
/** These read code from their input regardless of options. */
const ignoresHelp = /^(tclsh|wish|expect)$/;

const isHelp = (args: readonly Arg[]) =>
  args.length === 1 && /^(--(version|help)|-V|-version)$/.test(args[0]?.text ?? "");

/** The bare name of a program in a standard folder; any other path is a program of unknown content. */
function programName(walk: Walk, { text, span }: Arg, dynamic: boolean): string | undefined {
  if (!isLiteral(text)) {
    if (!dynamic) walk.report("unknown", "Which program runs is only known when it runs", span);
    return undefined;
  }
  if (reserved.has(text)) {
    walk.report("unknown", `${text} is where no command can be`, span);
    return undefined;
  }
  const slash = text.lastIndexOf("/");
  if (slash < 0) return text;
  const folder = text
    .slice(0, slash)
    .replaceAll(/\/+/g, "/")
    .replace(/(?<=.)\/$/, "");
  if (binFolders.test(folder) && !folder.includes("..")) return text.slice(slash + 1);
  if (projectBin.test(folder) && isInside(walk, folder)) return text.slice(slash + 1);
  if (buildWrapper.test(text) && isInside(walk, text) && (baseFile(walk, text) !== "changed" || mayRunCode(walk)))
    return text.slice(slash + 1);
  walk.report("unknown", `${showPattern(text)} is a program of unknown content`, span);
  return undefined;
}

function callOf(walk: Walk, name: string, args: readonly Arg[], span: Span, feed: Feed, depth: number): CommandCall {
  const report = (kind: CommandClass, why: string, at?: { readonly span: Span }, gated?: boolean) =>
    // A write without a path goes to the current folder.
    walk.report(kind, why, at?.span ?? span, gated ?? (isLocalWriteAway(walk, kind) ? true : undefined));
  return {
    name,
    args,
    span,
    feed,
    get cwd() {
      return walk.cwd;
    },
    where: walk.setting.where,
    report,
    isInstalled: (tool) =>
      walk.cwd.kind === "inside" &&
      // A sandbox without network downloads nothing: a tool that is missing there fails.
      (walk.setting.installed.has(tool) || (walk.setting.where === "worktree" && runsProjectCode(tool))),
    baseFile: (path) => baseFile(walk, path),
    placeOf: (path, cwd = walk.cwd) => resolveArgument(path, cwd, walk.setting.root),
    isAway: (path) => isAway(walk, path),
    isNowhere: (path) => isNowhere(walk, resolveArgument(path, walk.cwd, walk.setting.root).path),
    run: (inner) => dispatch(walk, inner, span, feed, false, depth + 1),
    code: (arg) => runCode(walk, arg, feed),
    suspect: (arg) => {
      const found = isLiteral(arg.text) ? walk.inner(arg.text, arg.span) : [];
      walk.findings.push(...found.filter((finding) => severity(finding.class) > severity("unknown")));
    },
    read: (arg) => readPath(walk, arg),
    readAll: (arg) => {
      if (isWholeHome(resolveArgument(arg.text, walk.cwd, walk.setting.root).path))
        report("credential_sensitive", `Everything below ${showPattern(arg.text)} is read, secrets too`, arg);
      else readPath(walk, arg);
    },
    write: (arg) => writePath(walk, arg),
    remove: (arg, why) => removePath(walk, arg, why),
    discard: (why, at) => report("destructive", why, at, !mayRunCode(walk)),
    runsOwnCode: (why, at) => {
      const free = mayRunCode(walk);
      report(free ? "local_write" : "unknown", free ? `${why}, inside the sandbox` : why, at);
      return free;
    },
    moveTo: (path) => {
      const next = moveTo(path, walk.cwd, walk.setting.root);
      // `cd` to a folder that does not exist fails, and the line stays where it is.
      if (next.kind === "outside" && next.base !== undefined && isNowhere(walk, `${next.base}/.`)) return;
      walk.cwd = next;
    },
  };
}

function runCode(walk: Walk, arg: Arg, feed: Feed): void {
  if (!isLiteral(arg.text)) {
    walk.report("unknown", "Code that is only known when it runs", arg.span);
    // The literal parts are still judged: they can only make the verdict worse.
    walk.findings.push(...walk.inner(arg.text.replaceAll(/[\uE000-\uE002]/g, "X"), arg.span, { feed }));
    return;
  }
  walk.findings.push(...walk.inner(arg.text, arg.span, { feed }));
}

export function readPath(walk: Walk, { text, span }: Arg): void {
  const location = resolveArgument(text, walk.cwd, walk.setting.root);
  const what = credentialIn(location.path) ?? credentialIn(text);
  const isClean =
    what !== undefined &&
    location.kind === "inside" &&
    dependsOnContent(location.path) &&
    walk.setting.content(location.path) === "clean";
  if (isClean) return;
  if (what !== undefined) walk.report("credential_sensitive", `${showPattern(text)} holds ${what}`, span);
  else if (location.kind === "network") walk.report("network", `${text} opens a connection`, span);
}

export function removePath(walk: Walk, { text, span }: Arg, why: string): void {
  walk.report("destructive", why, span, !mayDelete(walk, text));
}

export function writePath(walk: Walk, { text, span }: Arg): void {
  const location = resolveArgument(text, walk.cwd, walk.setting.root);
  const shown = showPattern(text);
  const what = credentialWritten(location.path);
  switch (location.kind) {
    case "stream":
      return;
    case "network":
      return walk.report("network", `${shown} opens a connection`, span);
    case "device":
      return walk.report("destructive", `Writes to the device ${shown}`, span);
    case "outside":
      if (what !== undefined) return walk.report("credential_sensitive", `Writes ${shown}, which holds ${what}`, span);
      if (isNowhere(walk, location.path))
        return walk.report("local_write", `${shown} is in no folder that exists`, span);
      if (isTemporaryPath(location.path) || (walk.setting.where === "worktree" && isScratch(location.path)))
        return walk.report("local_write", `Writes the temporary file ${shown}`, span);
      return walk.report("local_write", `Writes outside the workspace: ${shown}`, span, true);
    case "unknown":
      return walk.report("local_write", `Writes to a place that is only known when it runs: ${shown}`, span, true);
    case "inside": {
      const steered = steers(location.path) ?? what;
      if (steered !== undefined) return walk.report("local_write", `Writes ${steered}: ${shown}`, span, true);
      return walk.report("local_write", `Writes ${shown}`, span);
    }
  }
}
