// Programs that create, change, move and delete files.
import type { Arg, CommandCall, ProgramJudge, ProgramJudges } from "../call.ts";
import { hasOption, optionValues, parseOptions } from "../options.ts";
import { moveTo } from "../paths/path-class.ts";
import { isLiteral, showPattern } from "../lexer/pattern.ts";
import { each, splitWords, writesAll } from "./build.ts";

const copyValues = splitWords("-t --target-directory -S --suffix");
const installValues = splitWords("-m --mode -o --owner -g --group");

/** Sources are read, the last argument or `-t` is written. */
function copyShape(call: CommandCall): { sources: readonly Arg[]; target: Arg | undefined; deep: boolean } {
  const parsed = parseOptions(call.args, {
    values: call.name === "install" ? [...copyValues, ...installValues] : copyValues,
  });
  // Values are judged as paths too, in case an option takes no value.
  parsed.options.forEach(({ value }) => value && call.read(value));
  const [folder] = optionValues(parsed, "-t", "--target-directory");
  const sources = folder ? parsed.rest : parsed.rest.slice(0, -1);
  const deep = hasOption(parsed, "-r", "-R", "-a", "--recursive", "--archive");
  return { sources, target: folder ?? (parsed.rest.length > 1 ? parsed.rest.at(-1) : undefined), deep };
}

const copy: ProgramJudge = (call) => {
  if (call.name === "install" && call.args.some(({ text }) => /^-\w*d|^--directory/.test(text)))
    return parseOptions(call.args, { values: installValues }).rest.forEach((arg) => call.write(arg));
  const { sources, target, deep } = copyShape(call);
  for (const source of sources) {
    if (deep) call.readAll(source);
    else call.read(source);
    if (target && /^\/dev\/(null|zero|random|urandom|full)$/.test(source.text))
      call.remove(target, `Overwrites ${showPattern(target.text)} with nothing of worth`);
  }
  if (target) call.write(target);
  call.report("local_write", `${call.name} writes a copy`);
};

const deletes =
  (values = ""): ProgramJudge =>
  (call) => {
    const why = `${call.name} deletes or empties files`;
    const { rest } = parseOptions(call.args, { values: splitWords(values) });
    for (const arg of rest) {
      call.read(arg);
      call.remove({ ...arg, span: call.span }, why);
    }
    if (rest.length === 0) call.report("destructive", why);
  };

/** A move removes the source; moving it out of the workspace equals deleting it. */
const move: ProgramJudge = (call) => {
  const { sources, target } = copyShape(call);
  for (const source of sources) {
    call.read(source);
    if (call.placeOf(source.text).kind !== "inside") call.write(source);
  }
  if (target) {
    call.write(target);
    const place = call.placeOf(target.text);
    if (place.kind === "outside" || place.kind === "stream" || place.kind === "device")
      call.report("destructive", `Moves files out of the workspace, to ${showPattern(target.text)}`, target);
  }
  call.report("local_write", `${call.name} moves files`);
};

/** A relative link is resolved from its own folder. */
function linkPlace(call: CommandCall, source: string, target: string | undefined) {
  const isSymbolic = call.args.some(({ text }) => /^-\w*s|^--symbolic$/.test(text));
  const folder = target?.endsWith("/") ? target : target?.replace(/[^/]*$/, "");
  if (!isSymbolic || !folder || !isLiteral(folder)) return call.placeOf(source);
  return call.placeOf(source, moveTo(folder, call.cwd));
}

const link: ProgramJudge = (call) => {
  const { sources, target } = copyShape(call);
  for (const source of sources) {
    call.read(source);
    const place = linkPlace(call, source.text, target?.text);
    const mayLeave = call.where !== "machine" && place.kind !== "inside";
    if (place.kind === "outside" || place.kind === "device" || mayLeave)
      call.report("local_write", `Links to a place outside the workspace: ${showPattern(source.text)}`, source, true);
  }
  if (target) call.write(target);
  const forced = call.args.some(({ text }) => /^-\w*f|^--force$/.test(text));
  if (forced && target && sources.some(({ text }) => text === "/dev/null"))
    call.report("destructive", `Replaces ${showPattern(target.text)} by nothing`, target);
  call.report("local_write", "ln makes a link");
};

/** Rights of the owner for whoever starts the file. */
const lastingRights = /^[ugoa,=+rwxXt-]*s|^0*[2-7]\d{3}$/;

/** Broad changes of permissions can lock the owner out or give access to every user. */
const rights: ProgramJudge = (call) => {
  const parsed = parseOptions(call.args, { values: ["--reference", "--from"] });
  const [mode, ...paths] = parsed.rest;
  const wide =
    hasOption(parsed, "-R", "--recursive") ||
    /^(0*[0-7]?(000|777|666)|[ugoa]*\+s|[24]\d{3}|a[+=].*w.*|o[+=].*w.*|[ugo]*-rwx)$/.test(mode?.text ?? "");
  // The build wrapper of a project is made executable this way after a checkout; its content does not change.
  const changed = hasOption(parsed, "--reference") ? parsed.rest : paths;
  const why = `${call.name} changes who may use these files`;
  // These bits still work after the file left the sandbox.
  const lasts = lastingRights.test(mode?.text ?? "") || !/^ch(mod|own|grp)$/.test(call.name);
  if (wide || call.name !== "chmod") {
    if (lasts || changed.length === 0) call.report("destructive", why);
    else for (const path of changed) call.remove(path, why);
  }
  changed
    .filter(({ text }) => !/^(\.\/)?(gradlew|mvnw)$/.test(text) || call.cwd.kind !== "inside")
    .forEach((path) => call.write(path));
  call.report("local_write", `${call.name} changes rights`);
};

const copyBlocks: ProgramJudge = (call) => {
  for (const arg of call.args) {
    const [name, ...value] = arg.text.split("=");
    const path = { ...arg, text: value.join("=") };
    if (name === "if") call.read(path);
    if (name === "of") {
      call.write(path);
      const source = call.args.find(({ text }) => text.startsWith("if="))?.text ?? "";
      if (/^if=\/dev\/(null|zero|u?random|full)$/.test(source) && !/^\/dev\/null$/.test(path.text))
        call.remove(path, `Overwrites ${showPattern(path.text)}`);
    }
  }
};

const archiveFile: ProgramJudge = (call) => {
  const parsed = parseOptions(call.args, { values: ["-S", "--suffix", "-T", "--threads", "-o", "-D", "-M"] });
  parsed.rest.forEach((arg) => call.read(arg));
  const toStdout = hasOption(parsed, "-c", "--stdout", "--to-stdout", "-l", "--list", "-t", "--test");
  if (!toStdout && parsed.rest.length > 0) parsed.rest.forEach((arg) => call.write(arg));
};

export const files: ProgramJudges = {
  ...each("rm unlink rmdir rimraf", deletes()),
  ...each("shred truncate", deletes("-s --size -r --reference -n --iterations")),
  ...each("srm wipe trash trash-put wipefs blkdiscard", (call) => {
    for (const arg of parseOptions(call.args, { values: ["-s", "--size", "-n"] }).rest) call.read(arg);
    call.report("destructive", `${call.name} deletes or empties files`);
  }),
  ...each("cp install", copy),
  mv: move,
  ln: link,
  ...each("chmod chown chgrp setfacl chattr chflags xattr", rights),
  tee: (call) => {
    const empty =
      call.feed.kind === "file" ? call.feed.path === "/dev/null" : call.feed.kind === "text" && call.feed.text === "";
    const appends = call.args.some(({ text }) => text === "-a" || text === "--append");
    if (empty && !appends && call.args.some(({ text }) => !text.startsWith("-")))
      call.report("destructive", "tee empties the files it is given");
    writesAll(["--output-error"])(call);
  },
  csplit: (call) => {
    const values = splitWords("-f --prefix -b --suffix-format -n --digits");
    const parsed = parseOptions(call.args, { values });
    parsed.rest.slice(0, 1).forEach((arg) => call.read(arg));
    optionValues(parsed, "-f", "--prefix").forEach((arg) => call.write(arg));
    call.report("local_write", "csplit writes pieces of a file");
  },
  split: (call) => {
    const names = splitWords(
      "-l -b -C -n -a -t --lines --bytes --line-bytes --number --suffix-length --separator --additional-suffix --filter",
    );
    const filter = optionValues(parseOptions(call.args, { values: names }), "--filter");
    for (const line of filter) call.code(line);
    const [input, prefix] = parseOptions(call.args, { values: names }).rest;
    if (input) call.read(input);
    if (prefix) call.write(prefix);
    call.report("local_write", "split writes pieces of a file");
  },
  dd: copyBlocks,
  ...each("gzip gunzip bzip2 bunzip2 xz unxz zstd unzstd", archiveFile),
  patch: (call) => {
    const parsed = parseOptions(call.args, {
      values: [
        "-i",
        "--input",
        "-p",
        "--strip",
        "-d",
        "--directory",
        "-o",
        "--output",
        "-r",
        "--reject-file",
        "-F",
        "-B",
        "-z",
        "-D",
      ],
    });
    const reads = optionValues(parsed, "-i", "--input");
    [...reads, ...parsed.rest.slice(1)].forEach((arg) => call.read(arg));
    optionValues(parsed, "-d", "--directory", "-o", "--output", "-r", "--reject-file").forEach((arg) =>
      call.write(arg),
    );
    parsed.rest.slice(0, 1).forEach((arg) => call.write(arg));
    call.report("local_write", "patch edits files");
  },
  mktemp: (call) => {
    const values = splitWords("-p --tmpdir --suffix");
    const parsed = parseOptions(call.args, { values: values.filter((name) => name !== "--tmpdir") });
    optionValues(parsed, "-p", "--tmpdir").forEach((arg) => call.placeOf(arg.text).path !== "/tmp" && call.write(arg));
    parsed.rest
      .filter(({ text }) => !/^\/tmp\/[\w.-]+$/.test(text) && text.includes("/"))
      .forEach((arg) => call.write(arg));
    call.report("local_write", "mktemp makes a temporary file");
  },
  ...each("vim vi view ex emacs ed code", (call) => {
    call.report("unknown", `${call.name} is an editor that can run programs`);
    for (const arg of call.args) {
      call.read(arg);
      const code = /^\+?:*!(.*)$/s.exec(arg.text)?.[1];
      if (code) call.suspect({ ...arg, text: code });
    }
  }),
  less: (call) => {
    const parsed = parseOptions(call.args, {
      values: ["-p", "-P", "-b", "-h", "-j", "-x", "-y", "-z", "-t", "-D", "-o", "-O", "--log-file", "--LOG-FILE"],
    });
    const risky = call.args.find(({ text }) => text.startsWith("+") && !/^\+(\d*[gGF]?|\/[^!|]*)$/.test(text));
    if (risky) call.report("unknown", "less can run a command at its start", risky);
    if (hasOption(parsed, "-k", "--lesskey-file", "--lesskey-src", "--lesskey-content", "-T", "--tag-file"))
      call.report("unknown", "less takes commands from a file");
    for (const option of parsed.options)
      if (/^(-[oO]|--log-file|--LOG-FILE)$/.test(option.name) && option.value) call.write(option.value);
    parsed.rest.filter(({ text }) => !text.startsWith("+")).forEach((arg) => call.read(arg));
  },
  man: (call) => {
    const parsed = parseOptions(call.args, {
      values: ["-P", "--pager", "-H", "--html", "-r", "-p", "-C", "-M", "-S", "-L", "-m"],
    });
    if (
      hasOption(
        parsed,
        "-P",
        "--pager",
        "-H",
        "--html",
        "-C",
        "--config-file",
        "-p",
        "--preprocessor",
        "-X",
        "--gxditview",
        "-M",
        "--manpath",
      )
    )
      call.report("unknown", "man can run another program by option");
  },
};
