// Archive programs: listing reads, packing reads many files and writes one, unpacking writes many.
import type { Arg, CommandCall, ProgramJudges } from "../call.ts";
import { hasOption, optionValues, parseOptions } from "../options.ts";
import { each } from "./build.ts";

const tarValues = [
  "-f",
  "--file",
  "-C",
  "--directory",
  "-T",
  "--files-from",
  "-X",
  "--exclude-from",
  "-b",
  "-I",
  "-F",
  "-g",
  "-K",
  "-L",
  "-N",
  "-V",
  "--use-compress-program",
  "--to-command",
  "--checkpoint-action",
  "--exclude",
  "--transform",
  "--xform",
  "--owner",
  "--group",
  "--mode",
  "--mtime",
  "--strip-components",
  "--info-script",
  "--new-volume-script",
  "--rsh-command",
  "--rmt-command",
  "--format",
  "--sort",
  "--one-top-level",
];
const tarRuns = [
  "-I",
  "--use-compress-program",
  "--to-command",
  "--checkpoint-action",
  "-F",
  "--info-script",
  "--new-volume-script",
  "--rsh-command",
  "--rmt-command",
];

/** `tar xf a` is `tar -x -f a`. */
function dashed(args: readonly Arg[]): readonly Arg[] {
  const [first, ...rest] = args;
  if (!first || first.text.startsWith("-") || !/^[A-Za-z]+$/.test(first.text)) return args;
  const taking = [...first.text].filter((letter) => tarValues.includes(`-${letter}`));
  const plain = [...first.text].filter((letter) => !tarValues.includes(`-${letter}`)).join("");
  const given = taking.flatMap((letter, index) => {
    const value = rest[index];
    return value ? [{ ...first, text: `-${letter}` }, value] : [];
  });
  return [...(plain ? [{ ...first, text: `-${plain}` }] : []), ...given, ...rest.slice(taking.length)];
}

function tar(call: CommandCall): void {
  const parsed = parseOptions(dashed(call.args), { values: tarValues });
  for (const { name, value, arg } of parsed.options)
    if (
      tarRuns.some((known) => name === known || (name.startsWith("--") && name.length > 4 && known.startsWith(name)))
    ) {
      call.report("unknown", `tar ${name} runs a program`, arg);
      if (value) call.suspect({ ...value, text: value.text.replace(/^exec=/, "") });
    }
  const files = optionValues(parsed, "-f", "--file");
  const remote = files.find(({ text }) => /^[^/]+:/.test(text));
  if (remote && !hasOption(parsed, "--force-local")) call.report("network", "tar reaches another machine", remote);
  optionValues(parsed, "-T", "--files-from", "-X", "--exclude-from").forEach((arg) => call.read(arg));
  if (hasOption(parsed, "--remove-files")) call.report("destructive", "tar deletes what it packed");
  const folders = optionValues(parsed, "-C", "--directory");
  if (hasOption(parsed, "-t", "--list")) return files.forEach((arg) => call.read(arg));
  if (hasOption(parsed, "-x", "--extract", "--get")) {
    files.forEach((arg) => call.read(arg));
    folders.forEach((arg) => call.write(arg));
    if (hasOption(parsed, "-P", "--absolute-names"))
      call.report("local_write", "tar writes wherever the archive says", undefined, true);
    if (!hasOption(parsed, "-O", "--to-stdout")) call.report("local_write", "tar writes the files of the archive");
    return;
  }
  [...folders, ...parsed.rest].forEach((arg) => call.readAll(arg));
  files.forEach((arg) => call.write(arg));
  if (hasOption(parsed, "-r", "-u", "-A", "--append", "--update", "--delete"))
    call.report("local_write", "tar changes an archive");
  if (parsed.open) call.runsOwnCode("A word could be an option that runs a program", parsed.open);
}

export const archives: ProgramJudges = {
  tar,
  zip: (call) => {
    const parsed = parseOptions(call.args, {
      values: ["-x", "-i", "-b", "-n", "-P", "-O", "--out", "-TT", "--unzip-command"],
    });
    if (call.args.some(({ text }) => /^-\w*T|^--(unzip-command|test)/.test(text)))
      call.report("unknown", "zip can run a test program");
    if (hasOption(parsed, "-m", "--move", "-d", "--delete")) call.report("destructive", "zip deletes files");
    const [archive, ...paths] = parsed.rest;
    if (archive) call.write(archive);
    paths.forEach((arg) => call.readAll(arg));
    call.report("local_write", "zip writes an archive");
  },
  "7z": (call) => {
    const [verb, ...rest] = call.args;
    if (verb?.text === "l" || verb?.text === "t") return;
    if (rest.some(({ text }) => text === "-sdel")) call.report("destructive", "7z deletes what it packed");
    if (verb?.text === "d") return call.report("destructive", "Deletes from an archive");
    rest.filter(({ text }) => text.startsWith("-o")).forEach((arg) => call.write({ ...arg, text: arg.text.slice(2) }));
    rest.filter(({ text }) => !text.startsWith("-")).forEach((arg) => call.readAll(arg));
    call.report("local_write", `${call.name} writes files`);
  },
  ...each("cpio ar", (call) => {
    call.args.filter(({ text }) => !text.startsWith("-")).forEach((arg) => call.read(arg));
    if (call.args.some(({ text }) => /^--(to-command|rsh-command)/.test(text)))
      call.report("unknown", `${call.name} runs a program`);
    // Unlike tar, these programs keep the leading slash of a name.
    const extracts = call.args.some(({ text }) => /^-\w*[irx]|^--(extract|pass-through)/.test(text));
    const stays = call.args.some(({ text }) => /^(--no-absolute-filenames|-\w*t)/.test(text));
    if (call.name !== "ar" && extracts && !stays)
      call.report("local_write", `${call.name} writes wherever the archive says`, undefined, true);
    call.report("local_write", `${call.name} writes files`);
  }),
};
