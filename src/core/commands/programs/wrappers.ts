// Programs that start another program: the started program is judged.
import type { Arg, CommandCall, ProgramJudge, ProgramJudges } from "../call.ts";
import { parseOptions } from "../options.ts";
import { assignmentRisk } from "../variables.ts";
import { each, joinArgs, privileged, splitWords, wrapper } from "./build.ts";

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
  if (options.some(({ name }) => name === "-u" || name === "--user") && rest.length > 0) return call.run(rest);
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
  sudo,
  ...each("su runuser", su),
  strace: (call) => {
    const piped = call.args.find(({ text }) => /^(-o|--output=)?[|!]/.test(text));
    if (piped) call.report("unknown", `${call.name} hands its output to a program`, piped);
    traced(call);
  },
  watch: lined("-n --interval -q --equexit"),
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
  ...each("nvm n volta asdf mise pyenv rbenv", (call) => {
    const [verb, ...rest] = call.args;
    if (/^(exec|run|x)$/.test(verb?.text ?? "")) {
      const inner = rest.slice(rest.findIndex(({ text }) => text === "--") + 1);
      const command = inner.filter(
        (arg, index) => !(index === 0 && /^(v?\d[\w.]*|--using|-\S+|\S+@\S+|lts\/\S+)$/.test(arg.text)),
      );
      return command.length > 0 ? call.run(command) : call.report("unknown", `${call.name} opens a shell`);
    }
    if (/^(ls|list|current|which|where|version|versions|--version|root|alias)$/.test(verb?.text ?? "")) return;
    if (call.where === "worktree" && call.name === "nvm" && verb?.text === "use")
      return call.report("local_write", "nvm use chooses a version that is installed");
    call.report("dependency_install", `${call.name} installs or switches a tool chain`);
  }),
  ...each("concurrently npm-run-all run-s run-p", (call) => {
    for (const arg of call.args.filter(({ text }) => !text.startsWith("-"))) if (/\s/.test(arg.text)) call.code(arg);
    call.report("local_write", `${call.name} runs scripts of the project`);
  }),
  "cross-env": (call) => call.run([{ text: "env", span: call.span }, ...call.args]),
};
