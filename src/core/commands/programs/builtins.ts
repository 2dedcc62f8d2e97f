// Builtins of the shell itself: variables, folders, traps, code from text.
import type { CommandCall, ProgramJudge, ProgramJudges } from "../call.ts";
import { parseOptions } from "../options.ts";
import { isLiteral } from "../lexer/pattern.ts";
import { assignmentRisk, isSecretName } from "../variables.ts";
import { each, joinArgs } from "./build.ts";

const showsAll = (call: CommandCall) =>
  call.report("credential_sensitive", `${call.name} shows all variables, and with them every secret in them`);

/** `export X=…`: the value was judged as a word; here the export is judged. */
const declare: ProgramJudge = (call) => {
  const { options, rest } = parseOptions(call.args);
  const functionsOnly = options.some(({ name }) => name === "-f" || name === "-F");
  const shows = options.some(({ name }) => name === "-p");
  if (options.some(({ name }) => name === "-n")) call.report("unknown", "A name for another variable");
  const secret = rest.find(({ text }) => isSecretName(text.split("=", 1)[0] ?? ""));
  if (shows && rest.length > 0 && secret)
    return call.report("credential_sensitive", `${call.name} shows ${secret.text}`, secret);
  if (rest.length === 0 && !functionsOnly) return showsAll(call);
  for (const arg of rest) {
    if (!isLiteral(arg.text.split("=", 1)[0] ?? ""))
      call.report("unknown", "Which variable is set is only known when it runs", arg);
    const match = /^([A-Za-z_]\w*)\+?=([^]*)$/.exec(arg.text);
    const risk = match && assignmentRisk(match[1] ?? "", match[2] ?? "", call.name === "export");
    if (risk) call.report("unknown", risk, arg);
    subscript(call, arg);
  }
};

/** Names with a subscript are evaluated as arithmetic, which can run commands. */
function subscript(call: CommandCall, arg: { text: string; span: CommandCall["span"] }): void {
  if (/\[.*(\$\(|`)/s.test(arg.text)) call.report("unknown", "A subscript can hide a command", arg);
}

const namesVariables: ProgramJudge = (call) => {
  for (const arg of call.args) {
    subscript(call, arg);
    // Without a variable a program loads less; only the record of the shell must not end.
    const harmless = call.name === "unset" && !/^HIST|^(PATH|BASH_ENV|ENV|IFS|HOME)$/.test(arg.text);
    const named = /^[A-Za-z_]\w*$/.test(arg.text) && !harmless;
    const risk = named ? assignmentRisk(arg.text, "", false) : undefined;
    if (risk) call.report("unknown", risk, arg);
  }
};

const evaluate: ProgramJudge = (call) => {
  const [first] = call.args;
  if (first) call.code(joinArgs(call.args, first));
};

/** Makes the tools of `.venv/bin/` available for the rest of this shell. */
const activates = /^(\.\/)?([\w-]+\/)*\.?venv\/bin\/activate$/;

/** What every new shell of this user loads anyway. */
const ownStartup =
  /^(~|\$HOME|\/root|\/home\/[\w.-]+)\/(\.bashrc|\.bash_profile|\.bash_aliases|\.profile|\.zshrc|\.zprofile|\.nvm\/nvm\.sh|\.cargo\/env|(?:mini|ana)conda3\/(?:bin\/activate|etc\/profile\.d\/conda\.sh)|\.sdkman\/bin\/sdkman-init\.sh)$/;

const source: ProgramJudge = (call) => {
  const [file] = call.args;
  if (file && /^\/dev\/(stdin|fd\/0)$/.test(file.text) && call.feed.kind === "text") call.suspect(call.feed);
  if (file && ownStartup.test(file.text))
    return call.report("local_write", "Loads the user's own settings of the shell", file);
  if (file && /^\/opt\/(?:mini|ana)conda3\/(?:bin\/activate|etc\/profile\.d\/conda\.sh)$/.test(file.text))
    return call.report("local_write", "Turns on the Python environment of the machine", file);
  if (file) call.read(file);
  if (file && activates.test(file.text) && !call.isAway(file.text))
    return call.report("local_write", "Turns on the Python environment of the project", file);
  call.report("unknown", `${call.name} runs a script of unknown content in this shell`, file);
};

export const builtins: ProgramJudges = {
  ...each("echo printf", (call) => {
    const index = call.args.findIndex(({ text }) => text === "-v");
    const target = call.name === "printf" && index === 0 ? call.args[1] : undefined;
    if (target) namesVariables({ ...call, args: [target], cwd: call.cwd });
  }),
  ...each("export declare typeset local readonly", declare),
  ...each("read unset let", namesVariables),
  ...each("mapfile readarray", (call) => {
    namesVariables(call);
    for (const { name, value } of parseOptions(call.args, {
      values: ["-C", "-c", "-d", "-n", "-O", "-s", "-u"],
    }).options)
      if (name === "-C" && value) call.code(value);
  }),
  set: (call) => {
    if (call.args.length === 0) showsAll(call);
  },
  ...each("cd pushd", (call) => {
    const target = parseOptions(call.args).rest[0];
    if (target) call.read(target);
    call.moveTo(target === undefined ? "~" : target.text === "-" ? "\uE000" : target.text);
  }),
  popd: (call) => call.moveTo("\uE000"),
  eval: evaluate,
  ...each("source .", source),
  trap: (call) => {
    const { options, rest } = parseOptions(call.args, { stopEarly: true });
    const [action, ...signals] = rest;
    const listing = options.some(({ name }) => name === "-p" || name === "-l");
    if (action && !listing && action.text !== "" && action.text !== "-" && signals.length > 0) call.code(action);
  },
  alias: (call) => {
    for (const arg of call.args) {
      const value = /^[^=]+=([^]*)$/.exec(arg.text)?.[1];
      if (value !== undefined) call.code({ ...arg, text: value });
    }
  },
  compgen: (call) =>
    call.args.some(({ text }) => /^-[\w]*[ve]|^(variable|export)$/.test(text)) ||
    call.args.some(({ text }) => /^-\w*[CF]/.test(text)) ||
    call.args.some(({ text }) => /\$[({]|`/.test(text))
      ? call.report("credential_sensitive", "compgen can list variables or run a program")
      : call.report("read_only", "compgen only lists names"),
  ...each("complete bind enable", (call) => {
    const listing = call.args.every(({ text }) => /^-[plan]*$/.test(text));
    if (!listing) call.report("unknown", `${call.name} changes what the shell runs`);
  }),
  command: (call) => {
    const { options, rest } = parseOptions(call.args, { stopEarly: true });
    if (options.some(({ name }) => name === "-v" || name === "-V")) return;
    if (rest.length > 0) call.run(rest);
  },
  builtin: (call) => call.run(call.args),
  exec: (call) => {
    const { rest } = parseOptions(call.args, { values: ["-a"], stopEarly: true });
    if (rest.length > 0) call.run(rest);
  },
  coproc: (call) => {
    const [first, ...rest] = call.args;
    // With a name the command is the second argument.
    if (first && /^[A-Z]+$/.test(first.text) && rest.length > 0) call.run(rest);
    else call.run(call.args);
  },
};
