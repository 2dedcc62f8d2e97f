// find, fd, xargs and similar: searches through folders that can run, write and delete.
import type { Arg, CommandCall, ProgramJudges } from "../call.ts";
import { hasOption, parseOptions } from "../options.ts";
import { credentialIn } from "../paths/credentials.ts";
import { isNarrowSearch, searchRoots } from "../find-scope.ts";
import { ANY, STAR, asGlob, isOpen, showPattern } from "../lexer/pattern.ts";
import { each, splitWords } from "./build.ts";

const plainTests = new Set(
  splitWords(
    "-a -and -o -or -not ! ( ) , -true -false -depth -d -mount -xdev -follow -daystart -noleaf -warn -nowarn -ignore_readdir_race -noignore_readdir_race -empty -executable -readable -writable -nouser -nogroup -prune -quit -print -print0 -ls -H -L -P -E -X -x -s -f --help --version",
  ),
);
const valueTests = new Set(
  splitWords(
    "-name -iname -path -ipath -wholename -iwholename -regex -iregex -lname -ilname -type -xtype -size -mtime -atime -ctime -mmin -amin -cmin -newer -anewer -cnewer -perm -user -group -uid -gid -links -inum -samefile -fstype -maxdepth -mindepth -regextype -used -printf -context -D -flags",
  ),
);
const actions = new Set(splitWords("-exec -execdir -ok -okdir"));
const writers = new Set(splitWords("-fprint -fprint0 -fls"));
const lookFor = new Set(splitWords("-name -iname -path -ipath -wholename -iwholename"));

/** Some name below this folder. */
const below = (folder: string) => `${folder.replace(/\/+$/, "")}/${STAR}`;

/** The file for `{}` is unknown, but it is in the workspace when the search starts there. */
function runFound(call: CommandCall, args: readonly Arg[], roots: readonly string[], narrow: boolean): void {
  const inside = roots.every((root) => call.placeOf(root).kind === "inside");
  const names = narrow && call.where === "worktree" ? roots.map(below) : [inside ? `./${ANY}` : ANY];
  for (const name of names) call.run(args.map((arg) => ({ ...arg, text: arg.text.replaceAll("{}", name) })));
}

/** The test before these words only names what the search leaves out. */
function prunes(after: readonly string[]): boolean {
  const [first, second] = after[0] === ")" ? after.slice(1) : after;
  return first === "-prune" && /^-or?$/.test(second ?? "");
}

function deletesFound(call: CommandCall, roots: readonly string[], narrow: boolean, arg: Arg): void {
  const why = "find -delete deletes what it finds";
  if (!narrow) return call.report("destructive", why, arg);
  for (const root of roots) call.remove({ ...arg, text: below(root) }, why);
}

function find(call: CommandCall): void {
  const { args } = call;
  const words = args.map(({ text }) => text);
  const [roots, narrow] = [searchRoots(words), isNarrowSearch(words)];
  for (let at = 0; at < args.length; at += 1) {
    const arg = args[at] as Arg;
    const { text } = arg;
    if (actions.has(text)) {
      const end = args.findIndex(
        (other, index) => index > at && (other.text === ";" || (other.text === "+" && args[index - 1]?.text === "{}")),
      );
      const stop = end < 0 ? args.length : end;
      runFound(call, args.slice(at + 1, stop), roots, narrow);
      at = stop;
    } else if (writers.has(text) || text === "-fprintf") {
      const target = args[at + 1];
      if (target) call.write(target);
      at += text === "-fprintf" ? 2 : 1;
    } else if (text === "-delete") deletesFound(call, roots, narrow, arg);
    else if (text === "-files0-from") call.read(args[(at += 1)] ?? arg);
    else if (valueTests.has(text) || /^-newer[aBcm][aBcmt]$/.test(text)) {
      const value = args[(at += 1)];
      const leftOut = /^(!|-not)$/.test(words[at - 2] ?? "") || prunes(words.slice(at + 1));
      const what = value && lookFor.has(text) && !leftOut ? credentialIn(asGlob(value.text)) : undefined;
      if (value && what) call.report("credential_sensitive", `Looks for ${what}: ${showPattern(value.text)}`, value);
    } else if (plainTests.has(text) || /^-O\d$/.test(text)) continue;
    else if (text.startsWith("-")) call.report("unknown", `find ${text} is not known`, arg);
    else if (isOpen(text) && words.slice(0, at).some((word) => !/^-[HLP]$/.test(word)))
      call.report("unknown", "A word could be an action of find", arg);
    else call.read(arg);
  }
}

function fd(call: CommandCall): void {
  const at = call.args.findIndex(({ text }) => /^(-x|-X|--exec|--exec-batch)(=|$)/.test(text));
  if (at >= 0) {
    const glued = call.args[at]?.text.split("=", 2)[1];
    const inner = call.args.slice(at + 1).filter(({ text }) => text !== ";");
    const command = glued ? [{ ...(call.args[at] as Arg), text: glued }, ...inner] : inner;
    const [, ...roots] = call.args.slice(0, at).filter(({ text }) => !text.startsWith("-"));
    runFound(call, command, roots.length > 0 ? roots.map(({ text }) => text) : ["."], false);
  }
  const [pattern, ...paths] = parseOptions(at < 0 ? call.args : call.args.slice(0, at), {
    values: ["-e", "-t", "-d", "-E", "-g", "--extension", "--type", "--max-depth", "--exclude"],
  }).rest;
  // The command gets the files that match the pattern.
  if (at >= 0 && pattern) call.read(pattern);
  paths.forEach((path) => call.read(path));
}

const xargsValues = splitWords(
  "-a --arg-file -d --delimiter -E -I -i -L -l -n -P -s --max-args --max-lines --max-procs --max-chars --replace --eof -J -R -S --process-slot-var",
);

/** A name in the middle of an argument is inserted without its folder. */
const fill = (text: string, marker: string, name: string) =>
  text.startsWith(marker) && !text.slice(marker.length).includes("/")
    ? name + text.slice(marker.length).replaceAll(marker, ANY)
    : text.replaceAll(marker, ANY);

function xargs(call: CommandCall): void {
  const parsed = parseOptions(call.args, {
    values: xargsValues.filter((name) => !["-i", "-l", "--replace", "--eof"].includes(name)),
    stopEarly: true,
  });
  for (const { name, value } of parsed.options) if (value && (name === "-a" || name === "--arg-file")) call.read(value);
  // Piped text becomes arguments: secret files among them are judged as reads.
  if (call.feed.kind === "text")
    for (const text of call.feed.text.split(/\s+/)) if (text !== "") call.read({ text, span: call.feed.span });
  const names = call.feed.kind === "unknown" ? call.feed.names : undefined;
  if (names?.sought !== undefined) call.read({ text: names.sought, span: call.span });
  const marker =
    parsed.options.find(({ name }) => name === "-I" || name === "-J" || name === "--replace")?.value?.text ??
    (hasOption(parsed, "-i") ? "{}" : undefined);
  if (parsed.rest.length === 0) return;
  const last = parsed.rest.at(-1) as Arg;
  if (!marker && !(names && call.where === "worktree")) call.run(parsed.rest);
  for (const folder of names?.under ?? [""]) {
    const name = folder + (names?.narrow && call.where === "worktree" ? STAR : ANY);
    if (!marker) call.run([...parsed.rest, { text: name, span: last.span }]);
    else call.run(parsed.rest.map((arg) => ({ ...arg, text: fill(arg.text, marker, name) })));
  }
}

/** GNU parallel: arguments after `:::` are inserted into the command, which a shell runs. */
function parallel(call: CommandCall): void {
  const { rest } = parseOptions(call.args, {
    values: splitWords(
      "-j --jobs -n -N -a --arg-file --colsep -S --sshlogin --joblog --results --tmpdir --timeout --delay --retries -I -d --delimiter --env --wd --workdir -P",
    ),
    stopEarly: true,
  });
  if (call.args.some(({ text }) => /^(-S|--sshlogin)/.test(text)))
    call.report("network", "parallel runs on other machines");
  const split = rest.findIndex(({ text }) => /^::::?\+?$/.test(text));
  const command = split < 0 ? rest : rest.slice(0, split);
  const given = split < 0 ? [] : rest.slice(split + 1).filter(({ text }) => !/^::::?\+?$/.test(text));
  if (command.length === 0) {
    if (given.length === 0) call.report("unknown", "parallel runs the lines it is given");
    return given.forEach((arg) => call.code(arg));
  }
  given.forEach((arg) => call.read(arg));
  const [first] = command as [Arg];
  const span = { start: first.span.start, end: command.at(-1)?.span.end ?? first.span.end };
  // Where deleting is free, the names decide.
  const names = call.where === "machine" ? ["X"] : given.length > 0 ? given.map(({ text }) => text) : [ANY];
  for (const name of new Set(names)) {
    const words = command.map((arg) => arg.text.replaceAll(/\{[^}]*\}/g, name));
    call.code({ text: `${words.join(" ")} ${name}`, span });
  }
}

export const search: ProgramJudges = {
  find,
  ...each("fd fdfind", fd),
  xargs,
  parallel,
  locate: (call) => {
    for (const arg of call.args) {
      const what = credentialIn(arg.text);
      if (what) call.report("credential_sensitive", `Looks for ${what}`, arg);
    }
  },
};
