// Programs that change the machine itself: processes, disks, services, users, schedules, the kernel.
import type { CommandCall, ProgramJudge, ProgramJudges } from "../call.ts";
import { always, each } from "./build.ts";

const kill: ProgramJudge = (call) => {
  if (call.args.length === 1 && /^-(l|L|-list|-table)$/.test(call.args[0]?.text ?? "")) return;
  const targets = call.args.filter(({ text }) => !text.startsWith("-"));
  // `kill %1` and `kill $!` end a process that this line started.
  if (call.name === "kill" && targets.length > 0 && targets.every(({ text }) => text.startsWith("%")))
    return call.report("local_write", "kill ends a job of this shell");
  // `… | xargs kill -9` gets its targets from its input.
  const named = targets.length > 0 || /^-(9|15|2|\w{3,})$/.test(call.args.map(({ text }) => text).join(" "));
  const inSandbox = call.where === "worktree" && named && targets.every(({ text }) => !/^[01]$/.test(text));
  if (inSandbox) return call.report("destructive", `${call.name} ends processes of the sandbox`, undefined, false);
  call.report("destructive", `${call.name} ends processes`);
};

/** Without these options they only look. */
const unless =
  (risky: RegExp, judge: ProgramJudge): ProgramJudge =>
  (call) => {
    if (call.args.some(({ text }) => risky.test(text))) judge(call);
    else call.args.forEach((arg) => call.read(arg));
  };

/** A session of the user's own shell: reached again, or started without a command. */
function session(call: CommandCall): void {
  const [verb] = call.args;
  if (/^(ls|list-sessions|list-windows|lsw|list-panes|-V|-ls|-list|list-commands|info)$/.test(verb?.text ?? ""))
    return call.report("read_only", `${call.name} only lists`);
  const line = call.args.map(({ text }) => text).join(" ");
  const plain =
    call.name === "tmux"
      ? /^((attach|attach-session|a|at|detach|has|has-session|switch|switch-client|rename-session)( -[dr])?( -t)?( [\w.:-]+)?|(new|new-session)( -[AdD])*( -[ns] [\w.-]+)*)$/
      : /^(-[dDrRx]+|-S)( [\w.-]+)?$/;
  if (plain.test(line)) return call.report("local_write", `${call.name} opens a session of this user's shell`);
  call.report("unknown", `${call.name} runs programs that outlive the command`);
}

const kernel = always("destructive", "changes the machine itself");

export const system: ProgramJudges = {
  ...each("kill pkill killall xkill", kill),
  crontab: (call) => {
    const options = call.args.map(({ text }) => text);
    if (options.includes("-l")) return call.report("read_only", "crontab -l only lists");
    if (options.includes("-r")) return call.report("destructive", "crontab -r deletes the schedule");
    call.report("local_write", "crontab installs scheduled code", undefined, true);
  },
  service: (call) =>
    call.args.at(-1)?.text === "status" || call.args[0]?.text === "--status-all"
      ? call.report("read_only", "service status only reads")
      : call.report("destructive", "service starts or ends services"),
  journalctl: (call) =>
    call.args.some(({ text }) => /^--(vacuum|rotate|flush|relinquish|setup-keys)/.test(text))
      ? call.report("destructive", "journalctl deletes or moves the journal")
      : call.report("read_only", "journalctl only reads"),
  ...each("tmux screen", session),
  fuser: unless(/^-(\w*[kMw]|-kill|-writeonly|-ismountpoint)/, kill),
  dmesg: unless(/^-(\w*[cCDEn]|-(clear|read-clear|console))/, kernel),
  mount: (call) =>
    call.args.every(({ text }) => /^(-l|--show-labels|-t|[\w.,]+)$/.test(text)) &&
    (call.args.length === 0 || /^-[lt-]/.test(call.args[0]?.text ?? ""))
      ? call.report("read_only", "mount only lists")
      : kernel(call),
  logger: (call) =>
    call.args.some(({ text }) => /^-(\w*[nTduf]|-(server|tcp|udp|file|socket))/.test(text))
      ? call.report("network", "logger reads a file or talks to another machine")
      : call.report("local_write", "logger adds a line to the log of this machine"),
};
