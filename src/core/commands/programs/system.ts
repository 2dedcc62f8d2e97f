// Programs that change the machine itself: processes, disks, services, users, schedules, the kernel.
import type { ProgramJudge, ProgramJudges } from "../call.ts";
import { each } from "./build.ts";

const kill: ProgramJudge = (call) => {
  if (call.args.length === 1 && /^-(l|L|-list|-table)$/.test(call.args[0]?.text ?? "")) return;
  const targets = call.args.filter(({ text }) => !text.startsWith("-"));
  // `kill %1` and `kill $!` end a process that this line started.
  if (call.name === "kill" && targets.length > 0 && targets.every(({ text }) => text.startsWith("%")))
    return call.report("local_write", "kill ends a job of this shell");
  call.report("destructive", `${call.name} ends processes`);
};

export const system: ProgramJudges = {
  ...each("kill pkill killall xkill fuser", kill),
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
  ...each("tmux screen", (call) =>
    /^(ls|list-sessions|list-windows|lsw|list-panes|-V|-ls|-list|list-commands|info)$/.test(call.args[0]?.text ?? "")
      ? call.report("read_only", `${call.name} only lists`)
      : call.report("unknown", `${call.name} runs programs that outlive the command`),
  ),
};
