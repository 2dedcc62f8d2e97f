// Programs that start another program: what they start is what counts.
import type { Arg, Call, Program, Programs } from "../call.ts";
import { parseOptions } from "../options.ts";
import { always, each, joinArgs, words, wrapper } from "./build.ts";

/** Another user's rights are asked about whatever runs with them. */
const privileged: Program = (call) =>
  call.report("local_write", `${call.name} runs with the rights of another user`, undefined, true);

const shellLine = (call: Call, args: readonly Arg[]) => {
  const [first] = args;
  if (first) call.code(joinArgs(args, first));
};

function sudo(call: Call): void {
  privileged(call);
  const { options, rest } = parseOptions(call.args, {
    values: words(
      "-u --user -g --group -h --host -p --prompt -C --close-from -r --role -t --type -T -U --other-user -D --chdir -R --chroot -a -c",
    ),
    stopEarly: true,
  });
  const given = (...names: string[]) => options.some(({ name }) => names.includes(name));
  if (given("-e", "--edit")) return rest.forEach((arg) => call.write(arg));
  if (given("-l", "--list", "-v", "--validate", "-k", "-K")) return;
  const inner = rest.slice(rest.findIndex(({ text }) => !/^[A-Za-z_]\w*=/.test(text)));
  if (inner.length === 0 || rest.length === 0) return call.report("unknown", `${call.name} opens a shell`);
  if (given("-s", "--shell", "-i", "--login")) shellLine(call, inner);
  else call.run(inner);
}

function su(call: Call): void {
  privileged(call);
  const { options } = parseOptions(call.args, {
    values: ["-c", "--command", "-s", "--shell", "-g", "-G", "-w"],
  });
  const code = options.filter(({ name }) => name === "-c" || name === "--command");
  for (const { value } of code) if (value) call.code(value);
  if (code.length === 0) call.report("unknown", `${call.name} opens a shell`);
}

const lined =
  (values: string, writes: string[] = []): Program =>
  (call) => {
    const { options, rest } = parseOptions(call.args, {
      values: [...words(values), ...writes],
      stopEarly: true,
    });
    for (const { name, value } of options) if (value && writes.includes(name)) call.write(value);
    shellLine(call, rest);
  };

function flock(call: Call): void {
  const { options, rest } = parseOptions(call.args, {
    values: words("-w --wait --timeout -E --conflict-exit-code -c --command"),
    stopEarly: true,
  });
  const code = options.find(({ name }) => name === "-c" || name === "--command")?.value;
  const [file, ...inner] = rest;
  if (file) call.write(file);
  if (code) call.code(code);
  else if (inner[0]?.text === "-c" && inner[1]) call.code(inner[1]);
  else if (inner.length > 0) call.run(inner);
}

function script(call: Call): void {
  const { options, rest } = parseOptions(call.args, { values: words("-c --command -I -O -B -T -t") });
  const code = options.find(({ name }) => name === "-c" || name === "--command")?.value;
  rest.slice(0, 1).forEach((arg) => call.write(arg));
  if (code) call.code(code);
  else if (rest.length > 1) call.run(rest.slice(1));
  else call.report("unknown", "script opens a shell");
}

export const wrappers: Programs = {
  ...each("sudo gosu su-exec", sudo),
  doas: wrapper({ values: ["-u", "-C", "-a"], before: privileged, none: "unknown" }),
  ...each("pkexec", wrapper({ values: ["--user"], before: privileged, none: "unknown" })),
  ...each("su runuser", su),
  ...each(
    "nohup setsid unbuffer catchsegv caffeinate rlwrap nocache eatmydata fakeroot fakechroot dbus-run-session xvfb-run setarch linux32 linux64 i386 x86_64 noti chronic ifne",
    wrapper({ values: words("-t -w -s -n -e -l -b -u -i") }),
  ),
  time: wrapper({ values: ["-f", "--format"], writes: ["-o", "--output"] }),
  gtime: wrapper({ values: ["-f", "--format"], writes: ["-o", "--output"] }),
  ...each("timeout gtimeout", wrapper({ values: words("-k --kill-after -s --signal"), skip: 1 })),
  nice: wrapper({ values: words("-n --adjustment") }),
  ionice: wrapper({ values: words("-c --class -n --classdata -p --pid -P -u") }),
  chrt: wrapper({ values: words("-p --pid -T -P -D"), skip: 1 }),
  taskset: wrapper({ values: ["-p"], skip: 1 }),
  numactl: wrapper({
    values: words("-N -m -C -i -p --cpunodebind --membind --physcpubind --interleave --preferred"),
  }),
  stdbuf: wrapper({ values: words("-i -o -e --input --output --error") }),
  ...each(
    "chroot",
    wrapper({ values: ["--userspec", "--groups"], skip: 1, before: privileged, none: "unknown" }),
  ),
  ...each(
    "unshare nsenter",
    wrapper({
      values: words("-t --target -S -G --setuid --setgid -R --root -w --wd --map-user --map-group"),
      before: privileged,
      none: "unknown",
    }),
  ),
  ...each(
    "prlimit cgexec systemd-inhibit",
    wrapper({ values: words("-p --pid -g --what --who --why --mode") }),
  ),
  ...each("setpriv capsh runcon newgrp sg", (call) =>
    call.report("unknown", `${call.name} runs with other rights`),
  ),
  "systemd-run": wrapper({
    values: words(
      "-p --property -u --unit --slice -E --setenv --uid --gid -M -H --on-calendar --working-directory -t",
    ),
    before: privileged,
  }),
  ...each("bwrap firejail proot nsjail", always("unknown", "runs a program in surroundings of its own")),
  ...each(
    "strace ltrace",
    wrapper({ values: words("-e -s -p -E -P -u -a -I -O -S -b -X"), writes: ["-o", "--output"] }),
  ),
  ...each("valgrind heaptrack perf gdb lldb rr dtrace bpftrace", always("unknown", "can run any program")),
  watch: lined("-n --interval -q --equexit"),
  entr: wrapper({}),
  hyperfine: (call) => {
    const { options, rest } = parseOptions(call.args, {
      values: words(
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
    values: words("-e -c -v -f"),
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
