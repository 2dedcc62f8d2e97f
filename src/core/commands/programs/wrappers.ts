// Programs that start another program: the started program is judged.
import type { Arg, CommandCall, ProgramJudge, ProgramJudges } from "../call.ts";
import { parseOptions } from "../options.ts";
import { assignmentRisk } from "../variables.ts";
import { always, each, joinArgs, splitWords, wrapper } from "./build.ts";

/** Another user's rights are asked about whatever runs with them. */
const privileged: ProgramJudge = (call) =>
  call.report("local_write", `${call.name} runs with the rights of another user`, undefined, true);

const shellLine = (call: CommandCall, args: readonly Arg[]) => {
  const [first] = args;
  if (first) call.code(joinArgs(args, first));
};

function sudo(call: CommandCall): void {
  privileged(call);
  const { options, rest } = parseOptions(call.args, {
    values: splitWords(
      "-u --user -g --group --host -p --prompt -C --close-from -r --role -t --type -T -U --other-user -D --chdir -R --chroot",
    ),
    stopEarly: true,
  });
  const given = (...names: string[]) => options.some(({ name }) => names.includes(name));
  if (given("-e", "--edit")) return rest.forEach((arg) => call.write(arg));
  if (given("-l", "--list") || (rest.length === 0 && given("-v", "--validate", "-k", "-K", "-V"))) return;
  const at = rest.findIndex(({ text }) => !/^[A-Za-z_]\w*=/.test(text));
  const inner = at < 0 ? [] : rest.slice(at);
  for (const arg of rest.slice(0, Math.max(at, 0))) {
    const [name = "", value = ""] = arg.text.split("=", 2);
    const risk = assignmentRisk(name, value, true);
    if (risk) call.report("unknown", risk, arg);
  }
  if (inner.length === 0) return call.report("unknown", `${call.name} opens a shell`);
  if (given("-s", "--shell", "-i", "--login")) shellLine(call, inner);
  else call.run(inner);
}

function su(call: CommandCall): void {
  privileged(call);
  const { options, rest } = parseOptions(call.args, {
    values: splitWords("-c --command -s --shell -g -G -w -u --user --session-command"),
  });
  // `runuser -u bob -- command`
  if (options.some(({ name }) => name === "-u" || name === "--user") && rest.length > 0)
    return call.run(rest);
  const code = options.filter(({ name }) => /^(-c|--command|--session-command)$/.test(name));
  for (const { value } of code) if (value) call.code(value);
  if (code.length === 0) call.report("unknown", `${call.name} opens a shell`);
}

const lined =
  (values: string, writes: string[] = []): ProgramJudge =>
  (call) => {
    const { options, rest } = parseOptions(call.args, {
      values: [...splitWords(values), ...writes],
      stopEarly: true,
    });
    for (const { name, value } of options) if (value && writes.includes(name)) call.write(value);
    shellLine(call, rest);
  };

function flock(call: CommandCall): void {
  const { options, rest } = parseOptions(call.args, {
    values: splitWords("-w --wait --timeout -E --conflict-exit-code -c --command"),
    stopEarly: true,
  });
  const code = options.find(({ name }) => name === "-c" || name === "--command")?.value;
  const [file, ...inner] = rest;
  if (file) call.write(file);
  if (code) call.code(code);
  else if (inner[0]?.text === "-c" && inner[1]) call.code(inner[1]);
  else if (inner.length > 0) call.run(inner);
}

function script(call: CommandCall): void {
  const { options, rest } = parseOptions(call.args, { values: splitWords("-c --command -I -O -B -T -t") });
  const code = options.find(({ name }) => name === "-c" || name === "--command")?.value;
  rest.slice(0, 1).forEach((arg) => call.write(arg));
  if (code) call.code(code);
  else if (rest.length > 1) call.run(rest.slice(1));
  else call.report("unknown", "script opens a shell");
}

const traced: ProgramJudge = wrapper({
  values: "-e -s -E -P -a -I -O -S -b -X --trace --string-limit",
  flags: "-f -ff -F -c -C -d -i -k -n -q -r -t -T -v -V -w -x -y -yy -z -Z --follow-forks --summary-only",
  writes: "-o --output",
});

export const wrappers: ProgramJudges = {
  ...each("sudo gosu su-exec", sudo),
  doas: wrapper({ values: "-u -C -a", flags: "-n -s -L", before: privileged, none: "unknown" }),
  pkexec: wrapper({
    values: "--user",
    flags: "--disable-internal-agent --keep-cwd",
    before: privileged,
    none: "unknown",
  }),
  ...each("su runuser", su),
  ...each("nohup catchsegv nocache eatmydata chronic ifne linux32 linux64 i386 x86_64", wrapper()),
  setsid: wrapper({ flags: "-c -f -w --ctty --fork --wait" }),
  unbuffer: wrapper({ flags: "-p" }),
  caffeinate: wrapper({ values: "-t -w", flags: "-d -i -m -s -u" }),
  fakeroot: wrapper({ values: "-l -s -i -b --lib --faked", flags: "-u --unknown-is-real", writes: "-s" }),
  "xvfb-run": wrapper({
    values: "-e -f -n -p -s -w --error-file --auth-file --server-num --xauth-protocol --server-args --wait",
    flags: "-a -l --auto-servernum --listen-tcp",
  }),
  "dbus-run-session": wrapper({ flags: "--" }),
  time: wrapper({
    values: "-f --format",
    flags: "-p -v -a -q --portability --verbose --append --quiet",
    writes: "-o --output",
  }),
  gtime: wrapper({ values: "-f --format", flags: "-p -v -a -q", writes: "-o --output" }),
  ...each(
    "timeout gtimeout",
    wrapper({
      values: "-k --kill-after -s --signal",
      flags: "-f -p -v --foreground --preserve-status --verbose",
      skip: 1,
    }),
  ),
  nice: wrapper({ values: "-n --adjustment", flags: "-0 -1 -2 -3 -4 -5 -6 -7 -8 -9 --" }),
  ionice: wrapper({ values: "-c --class -n --classdata", flags: "-t --ignore" }),
  chrt: wrapper({
    values: "-T -P -D",
    flags: "-b -f -i -o -r -R -d -v --batch --fifo --idle --other --rr --deadline",
    skip: 1,
  }),
  taskset: wrapper({ flags: "-a -c --all-tasks --cpu-list", skip: 1 }),
  numactl: wrapper({
    values: "-N -m -C -i -p --cpunodebind --membind --physcpubind --interleave --preferred",
    flags: "-l --localalloc",
  }),
  stdbuf: wrapper({ values: "-i -o -e --input --output --error" }),
  chroot: wrapper({
    values: "--userspec --groups",
    flags: "--skip-chdir",
    skip: 1,
    before: privileged,
    none: "unknown",
  }),
  ...each(
    "unshare nsenter",
    wrapper({
      values: "-t --target -S -G --setuid --setgid --map-user --map-group",
      flags:
        "-a -m -u -i -n -p -U -C -T -f -r -F -c -Z --all --mount --uts --ipc --net --pid --user --cgroup --time --fork --map-root-user --mount-proc --kill-child --no-fork --preserve-credentials",
      before: privileged,
      none: "unknown",
    }),
  ),
  prlimit: wrapper({
    flags:
      "-n --nofile -v --as -c --core -t --cpu -d --data -f --fsize -l --memlock -u --nproc -s --stack --noheadings --raw --verbose",
  }),
  ...each(
    "setpriv capsh runcon newgrp sg cgexec systemd-inhibit setarch rlwrap fakechroot noti",
    always("unknown", "runs a program in other surroundings"),
  ),
  "systemd-run": wrapper({
    values:
      "-p --property -u --unit --slice -E --setenv --uid --gid --on-calendar --working-directory --description",
    flags:
      "-t -P -q -d -S --user --system --scope --pty --pipe --quiet --wait --same-dir --collect -G --no-block",
    before: privileged,
  }),
  ...each("bwrap firejail proot nsjail", always("unknown", "runs a program in surroundings of its own")),
  ...each("strace ltrace", (call) => {
    const piped = call.args.find(({ text }) => /^(-o|--output=)?[|!]/.test(text));
    if (piped) call.report("unknown", `${call.name} hands its output to a program`, piped);
    traced(call);
  }),
  ...each("valgrind heaptrack perf gdb lldb rr dtrace bpftrace", always("unknown", "can run any program")),
  watch: lined("-n --interval -q --equexit"),
  entr: wrapper({ flags: "-a -c -d -n -p -r -s -x -z" }),
  hyperfine: (call) => {
    const { options, rest } = parseOptions(call.args, {
      values: splitWords(
        "-w --warmup -r --runs -m -M -p --prepare -c --cleanup -s --setup -N --shell -n --export-json --export-markdown --export-csv",
      ),
    });
    for (const { name, value } of options)
      if (value && /^(-p|--prepare|-c|--cleanup|-s|--setup)$/.test(name)) call.code(value);
    for (const { name, value } of options) if (value && name.startsWith("--export")) call.write(value);
    rest.forEach((arg) => call.code(arg));
  },
  script,
  flock,
  ...each("proxychains proxychains4 torsocks torify tsocks", (call) => {
    call.report("network", `${call.name} sends a program's traffic through a proxy`);
    if (call.args.length > 0) call.run(call.args);
  }),
  dotenv: wrapper({
    values: "-e -v -f",
    flags: "-c -o",
    before: (call) => call.report("credential_sensitive", "dotenv hands environment secrets on"),
  }),
  direnv: (call) => call.report("unknown", "direnv runs the .envrc of a folder"),
  ...each("nvm fnm n volta asdf mise rtx pyenv rbenv nodenv goenv jenv sdk", (call) => {
    const [verb, ...rest] = call.args;
    if (/^(exec|run|x)$/.test(verb?.text ?? "")) {
      const inner = rest.slice(rest.findIndex(({ text }) => text === "--") + 1);
      const command = inner.filter(
        (arg, index) => !(index === 0 && /^(v?\d[\w.]*|--using|-\S+|\S+@\S+|lts\/\S+)$/.test(arg.text)),
      );
      return command.length > 0 ? call.run(command) : call.report("unknown", `${call.name} opens a shell`);
    }
    if (/^(ls|list|current|which|where|version|versions|--version|root|alias)$/.test(verb?.text ?? ""))
      return;
    call.report("dependency_install", `${call.name} installs or switches a tool chain`);
  }),
  ...each("concurrently npm-run-all run-s run-p", (call) => {
    for (const arg of call.args.filter(({ text }) => !text.startsWith("-")))
      if (/\s/.test(arg.text)) call.code(arg);
    call.report("local_write", `${call.name} runs scripts of the project`);
  }),
  "cross-env": (call) => call.run([{ text: "env", span: call.span }, ...call.args]),
  "cross-env-shell": (call) =>
    shellLine(
      call,
      call.args.filter(({ text }) => !/^\w+=/.test(text)),
    ),
};
