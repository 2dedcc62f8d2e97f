// Keys of a git configuration that start a program or lead git elsewhere.
import { ConfigSyntaxError, settingKey, parseConfig, type GitConfigEntry } from "../../platform/git/index.ts";
import { shown, type ReportFinding, type Severity } from "./finding.ts";

interface Sink {
  readonly severity: Severity;
  readonly why: string;
}

const onOpen = (why: string): Sink => ({ severity: "high", why });
const onUse = (why: string): Sink => ({ severity: "medium", why });
const steers = (why: string): Sink => ({ severity: "low", why });

/** `section.name`, whatever the subsection. */
const sinks: Readonly<Record<string, Sink>> = {
  "core.fsmonitor": onOpen("run by `git status` and by every editor and agent that asks for it"),
  "core.hookspath": onOpen("git takes its hooks from there"),
  "core.sshcommand": onOpen("run by every fetch and push, also by editors that fetch by themselves"),
  "core.pager": onOpen("run by `git log`, `git diff` in a terminal"),
  "core.editor": onUse("run by `git commit`"),
  "core.askpass": onOpen("run whenever git needs a password"),
  "core.gitproxy": onOpen("run by every fetch over git://"),
  "core.alternaterefscommand": onUse("run by fetches from repositories with alternates"),
  "core.worktree": onOpen("git works on another folder than this one"),
  "core.attributesfile": steers("attributes, and with them filters, come from another file"),
  "core.excludesfile": steers("ignore rules come from another file"),
  "diff.external": onOpen("run by `git diff`"),
  "diff.command": onOpen("run by `git diff` for files with this driver"),
  "diff.textconv": onOpen("run by `git diff`, `git log -p`, `git show`, `git blame`"),
  "filter.clean": onOpen("run by `git status`, `git add`, `git diff`"),
  "filter.smudge": onOpen("run by every checkout"),
  "filter.process": onOpen("run by `git status`, `git add` and every checkout"),
  "merge.driver": onUse("run by merges, rebases and cherry-picks"),
  "credential.helper": onOpen("run whenever git needs a password, and receives the address"),
  "sequence.editor": onUse("run by `git rebase -i`"),
  "interactive.difffilter": onUse("run by `git add -p`"),
  "gpg.program": onUse("run by signing and by showing signatures"),
  "gpg.defaultkeycommand": onUse("run by signing"),
  "hook.command": onOpen("a hook in the configuration itself"),
  "gc.recentobjectshook": onUse("run by git gc, which git starts automatically"),
  "uploadpack.packobjectshook": onUse("run when a user clones from here"),
  "remote.uploadpack": onOpen("the program a fetch starts on the other side, or here for a local remote"),
  "remote.receivepack": onOpen("the program a push starts on the other side, or here for a local remote"),
  "remote.vcs": onOpen("a program git-remote-<name> is started for this remote"),
  "remote.promisor": onUse("missing objects are fetched from there without being asked for"),
  "submodule.update": onUse("a value that starts with ! is run by `git submodule update`"),
  "include.path": steers("more configuration is read from another file"),
  "includeif.path": steers("more configuration is read from another file"),
  "alias.*": onUse("an alias that starts with ! is run by a shell"),
  "pager.*": onOpen("run as the pager of this command"),
  "difftool.cmd": onUse("run by `git difftool`"),
  "mergetool.cmd": onUse("run by `git mergetool`"),
  "browser.cmd": onUse("run by `git web--browse`"),
  "man.cmd": onUse("run by `git help`"),
  "guitool.cmd": onUse("run from git gui"),
  "trailer.command": onUse("run by `git interpret-trailers` and `git commit --trailer`"),
  "trailer.cmd": onUse("run by `git interpret-trailers` and `git commit --trailer`"),
  "sendemail.smtpserver": onUse("run by `git send-email` when it is a path"),
  "sendemail.sendmailcmd": onUse("run by `git send-email`"),
  "sendemail.tocmd": onUse("run by `git send-email`"),
  "sendemail.cccmd": onUse("run by `git send-email`"),
  "sendemail.headercmd": onUse("run by `git send-email`"),
  "imap.tunnel": onUse("run by `git imap-send`"),
  "instaweb.httpd": onUse("run by `git instaweb`"),
  "lfs.path": onUse("run by git-lfs"),
  "lfs.clean": onOpen("run by git-lfs for every file"),
  "lfs.smudge": onOpen("run by git-lfs for every file"),
  "init.templatedir": onUse("hooks for new repositories come from there"),
  "url.insteadof": steers("addresses are rewritten"),
  "url.pushinsteadof": steers("addresses are rewritten for pushes"),
  "http.proxy": steers("traffic goes through it"),
  "http.sslverify": steers("certificates are not checked"),
  "protocol.allow": steers("changes which transports git may use"),
  "extensions.partialclone": onUse("missing objects are fetched without being asked for"),
};

const harmless: Readonly<Record<string, RegExp>> = {
  "core.fsmonitor": /^(true|false|yes|no|on|off|0|1)?$/i,
  "core.pager": /^(cat|less( -[A-Za-z]+)?|more)?$/,
  "core.editor": /^(vi|vim|nvim|nano|emacs|code( --wait)?)?$/,
  "credential.helper": /^(store|cache|osxkeychain|manager(-core)?|libsecret|wincred)?$/,
  "submodule.update": /^(checkout|rebase|merge|none)$/,
  "remote.uploadpack": /^git-upload-pack$/,
  "remote.receivepack": /^git-receive-pack$/,
  "http.sslverify": /^(true|yes|on|1)$/i,
  "alias.*": /^[^!]/,
  "pager.*": /^(true|false|yes|no|on|off|0|1|cat|less|more)?$/i,
  "protocol.allow": /^(never|user)$/i,
  "sendemail.smtpserver": /^[^/]*$/,
};
/** git-lfs puts exactly these into the configuration of every repository it is installed in. */
const lfs = /^git-lfs (clean|smudge|filter-process)( -- %f)?$/;

function judge(entry: GitConfigEntry): { sink: Sink; value: string } | undefined {
  const value = entry.value ?? "true";
  const name = `${entry.section}.${entry.name}` in sinks ? `${entry.section}.${entry.name}` : `${entry.section}.*`;
  const sink = sinks[name];
  if (!sink || harmless[name]?.test(value)) return undefined;
  if (entry.section === "filter" && entry.subsection === "lfs" && lfs.test(value))
    return { sink: steers("git-lfs, if it is installed, is run for the files with this filter"), value };
  return { sink, value };
}

/** Addresses that run a program, or that git would take for an option. */
export function addressSink(url: string): Sink | undefined {
  if (/^(ext|fd)::/i.test(url)) return onOpen("this transport runs a program by being fetched from");
  if (url.startsWith("-")) return onOpen("an address that git could take for an option");
  if (/^[a-z][a-z0-9+.-]*::/i.test(url)) return onUse("a program git-remote-<name> is started for this address");
  return undefined;
}

export function reportConfig(text: string, path: string, report: ReportFinding): void {
  let entries: GitConfigEntry[];
  try {
    if (text.includes("\0")) throw new ConfigSyntaxError(0, "a NUL byte");
    entries = parseConfig(text);
  } catch (error) {
    if (!(error instanceof ConfigSyntaxError)) throw error;
    report({
      kind: "git_config",
      path,
      severity: "block",
      what: `cannot be read (${error.message})`,
      why: "what git would make of it cannot be known, so it cannot be made harmless",
      remedy: "Repair or remove the file.",
    });
    return;
  }
  for (const entry of entries) {
    const found = judge(entry);
    if (found) tell(entry, found.sink, found.value);
    const isAddress = entry.section === "remote" && (entry.name === "url" || entry.name === "pushurl");
    const rewritten = entry.section === "url" && entry.subsection !== null ? addressSink(entry.subsection) : undefined;
    const address = isAddress ? addressSink(entry.value ?? "") : rewritten;
    if (address) tell(entry, address, entry.value ?? "");
  }

  function tell(entry: GitConfigEntry, sink: Sink, value: string): void {
    report({
      kind: "git_config",
      path,
      severity: sink.severity,
      what: `${shown(settingKey(entry), 80)} = ${shown(value)}`,
      why: sink.why,
      remedy: `We run git with it switched off. To remove it: git config --file ${path} --unset-all '${shown(settingKey(entry), 80)}'`,
    });
  }
}
