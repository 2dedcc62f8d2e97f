// Programs that only read, with the options that make some of them do more.
import type { ProgramJudge, ProgramJudges } from "../call.ts";
import { parseOptions } from "../options.ts";
import { asGlob } from "../lexer/pattern.ts";
import { each, reader } from "./build.ts";

const searching = reader({
  values:
    "-A -B -C -m -d -D --max-count --context --after-context --before-context --color --colour --include --exclude --exclude-dir --label --binary-files",
  texts: "-e --regexp",
  reads: "-f --file --exclude-from",
  skip: 1,
  instead: "-e --regexp -f --file",
  recursive: "-r -R --recursive --dereference-recursive",
});

const ripgrep = reader({
  values:
    "-A -B -C -m -g -t -T -j -M -d -E -r --max-count --context --after-context --before-context --color --colors --glob --iglob --type --type-not --type-add --threads --max-columns --max-depth --maxdepth --max-filesize --encoding --replace --sort --sortr --engine --context-separator --field-match-separator --path-separator --regex-size-limit --dfa-size-limit",
  texts: "-e --regexp",
  reads: "-f --file --ignore-file",
  runs: "--pre --hostname-bin",
  skip: 1,
  instead: "-e --regexp -f --file --files --type-list",
  deep: true,
});

const unpack: ProgramJudge = (call) =>
  call.args.some(({ text }) => /^-\w*[lptvZ]/.test(text))
    ? call.args.filter(({ text }) => !text.startsWith("-")).forEach((arg) => call.read(arg))
    : call.report("local_write", "unzip writes the files of the archive");

const readYaml = reader({
  values: "-o -p --output-format --input-format -I --indent",
  skip: 1,
  edits: "-i --inplace",
  writes: "-s --split-exp",
});

/** A recursive search that includes secret files by their names. */
const searchingNamed: ProgramJudge = (call) => {
  const { options } = parseOptions(call.args, { values: ["--include", "-g", "--glob", "--iglob"] });
  for (const { name, value } of options)
    if (value && /^(--include|-g|--glob|--iglob)$/.test(name) && !value.text.startsWith("!"))
      call.read({ ...value, text: asGlob(value.text).replace(/^([\uE000-\uE002]*\/)+/, "") });
  (call.name === "rg" ? ripgrep : searching)(call);
};

export const readers: ProgramJudges = {
  ...each("test [", (call) => {
    const hiding = call.args.find(({ text }) => /\[.*(\$\(|`)/s.test(text));
    if (hiding) call.report("unknown", "A subscript can hide a command", hiding);
  }),
  arch: (call) => {
    const inner = call.args.slice(call.args.findIndex(({ text }) => !text.startsWith("-")));
    if (call.args.some(({ text }) => !text.startsWith("-"))) call.run(inner);
  },
  hash: (call) =>
    call.args.some(({ text }) => /^-\w*p/.test(text))
      ? call.report("unknown", "hash -p makes a name run another program")
      : call.report("read_only", "hash only remembers where programs are"),
  ...each("cowsay gron jd javap jdeps identify mediainfo", (call) => {
    // A link, a format that acts, a file of code, an agent, a file that is written.
    const risky = call.args.find(({ text }) =>
      /^\w{2,}:|:\/\/|^-J|^@|^-f|^-o|^--?(port|write|dot-?output|LogFile|generate-module-info|generate-open-module)/i.test(
        text,
      ),
    );
    if (risky) call.report("unknown", `${call.name} ${risky.text} does more than read`, risky);
    reader()(call);
  }),
  qsv: (call) => {
    reader({ writes: "-o --output" })(call);
    if (
      !/^(headers|count|stats|select|slice|search|sort|frequency|table|sample|dedup|fmt|flatten|join|cat|input|index|fixlengths|reverse|validate|--list)$/.test(
        call.args[0]?.text ?? "",
      )
    )
      call.report("unknown", `${call.name} ${call.args[0]?.text} does more than read`);
  },
  jar: (call) =>
    /^-?t\w*$/.test(call.args[0]?.text ?? "") && !call.args.some(({ text }) => /^-J|^@/.test(text))
      ? call.args.slice(1).forEach((arg) => call.read(arg))
      : call.report("local_write", "jar packs or unpacks files", undefined, true),
  kustomize: (call) => {
    const local =
      call.args[0]?.text === "build" &&
      call.args.every(({ text }) => !/^--enable-|^--network|:\/\/|^\w[\w-]*\.\w+\/|::|^git@|^-o$|^--output/.test(text));
    if (!local) call.report("network", "kustomize fetches, runs or writes more than it shows");
  },
  ffprobe: (call) => {
    const remote = call.args.find(({ text }) => /\w+:\/\//.test(text));
    if (remote) call.report("network", "ffprobe reads from another machine", remote);
    reader({ values: "-v -of -show_entries -select_streams -print_format -i" })(call);
  },
  ...each("grep egrep fgrep rg", searchingNamed),
  jq: (call) => {
    reader({
      values: "--arg --argjson --indent --tab --seq",
      reads: "-f --from-file --slurpfile --rawfile -L",
      skip: 1,
      instead: "-f --from-file",
    })(call);
    // These take a name and then a file.
    call.args.forEach(({ text }, at) => {
      const file = call.args[at + 2];
      if (/^--(rawfile|slurpfile|argfile)$/.test(text) && file) call.read(file);
    });
    if (call.args.some(({ text }) => /\$ENV\b|(?<![.\w"'-])env\b/.test(text)))
      call.report("credential_sensitive", "jq can show the whole environment");
  },
  yq: (call) => {
    if (call.args.some(({ text }) => /\b(str)?env\s*\(|\$ENV\b/.test(text)))
      call.report("credential_sensitive", "yq can show the environment");
    if (call.args.some(({ text }) => /^(-[a-zA-Z]*s|--split-exp)/.test(text)))
      call.report("unknown", "yq writes files whose names are only known when it runs");
    readYaml(call);
  },
  getent: (call) =>
    /^(hosts|ahosts(v[46])?|networks|services|protocols|rpc|netgroup|ethers)$/.test(call.args[0]?.text ?? "")
      ? call.report("network", "getent asks other machines for names")
      : call.args.slice(0, 1).some(({ text }) => /^(g?shadow|passwd)$/.test(text))
        ? call.report("credential_sensitive", "getent shows account data")
        : call.report("read_only", "getent only reads"),
  date: (call) => {
    reader({ texts: "-d --date", reads: "-f --file -r --reference" })(call);
    if (call.args.some(({ text }) => /^(-s|--set)/.test(text) || /^\d{8,}/.test(text)))
      call.report("destructive", "date sets the clock of the machine");
  },
  hostname: (call) =>
    call.args.some(({ text }) => !text.startsWith("-"))
      ? call.report("destructive", "hostname changes the name of the machine")
      : call.report("read_only", "hostname only reads"),
  ...each("ip ifconfig netstat ss arp", (call) =>
    call.args.some(({ text }) =>
      /^(add|del|delete|set|flush|replace|up|down|change|append|-s|-d|-K|--kill|netns|exec|-b|-batch)$/.test(text),
    ) ||
    (call.name === "ifconfig" && call.args.filter(({ text }) => !text.startsWith("-")).length > 1)
      ? call.report("destructive", `${call.name} changes the network of the machine`)
      : call.report("read_only", `${call.name} only reads`),
  ),
  ps: (call) =>
    /^[^-]*e|^-?\w*E/.test(call.args[0]?.text.replace(/^-.*/, "") ?? "") ||
    call.args.some(({ text }) => /environ/i.test(text))
      ? call.report("credential_sensitive", "ps can show the environment of other programs")
      : call.report("read_only", "ps only reads"),
  unzip: (call) => {
    const at = call.args.findIndex(({ text }) => text === "-d");
    const target = at < 0 ? undefined : call.args[at + 1];
    if (target) call.write(target);
    unpack(call);
  },
};
