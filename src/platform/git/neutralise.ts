// The settings of a repository that can execute a program or steer git, and the value that makes each of them harmless.
// Overrides travel as GIT_CONFIG_KEY_n / GIT_CONFIG_VALUE_n, which outrank every configuration file.
import { devNull } from "node:os";
import { fail } from "../../core/contract/index.ts";
import { settingKey, type GitConfigEntry } from "./config-file.ts";

export type Override = readonly [key: string, value: string];

/** Set on every call, whether or not the repository mentions the key. */
export const fixedOverrides: readonly Override[] = [
  // Programs git would start.
  ["core.hooksPath", devNull],
  ["core.fsmonitor", "false"],
  ["core.pager", "cat"],
  ["core.editor", "false"],
  ["core.askPass", ""],
  ["core.sshCommand", "false"],
  ["core.alternateRefsCommand", "true"],
  ["sequence.editor", "false"],
  ["interactive.diffFilter", ""],
  ["diff.external", ""],
  ["credential.helper", ""],
  ["credential.interactive", "false"],
  ["gpg.program", "false"],
  ["gpg.openpgp.program", "false"],
  ["gpg.x509.program", "false"],
  ["gpg.ssh.program", "false"],
  ["gpg.ssh.defaultKeyCommand", ""],
  ["commit.gpgSign", "false"],
  ["tag.gpgSign", "false"],
  ["push.gpgSign", "false"],
  ["log.showSignature", "false"],
  ["gc.auto", "0"],
  ["gc.recentObjectsHook", ""],
  ["maintenance.auto", "false"],
  ["status.submoduleSummary", "false"],
  ["submodule.recurse", "false"],
  ["fetch.recurseSubmodules", "false"],
  ["push.recurseSubmodules", "no"],
  ["checkout.workers", "1"],
  ["protocol.allow", "never"],
  ["protocol.ext.allow", "never"],
  // An object or a ref is on the disk before git reports that it wrote it.
  ["core.fsync", "loose-object,pack,pack-metadata,reference"],
  ["core.fsyncMethod", "fsync"],
  // Files outside the tree that would steer the result.
  ["core.attributesFile", devNull],
  ["attr.tree", ""],
  ["core.excludesFile", devNull],
  ["commit.template", ""],
  ["diff.orderFile", devNull],
  // State that could hide changes of the work tree.
  ["core.ignoreStat", "false"],
  ["core.trustctime", "true"],
  ["core.checkStat", "default"],
  ["core.untrackedCache", "false"],
  ["core.splitIndex", "false"],
  ["core.commitGraph", "false"],
  ["core.useReplaceRefs", "false"],
  ["core.protectHFS", "true"],
  ["core.protectNTFS", "true"],
  // Output that differs from machine to machine.
  ["core.quotePath", "true"],
  ["core.abbrev", "40"],
  ["core.safecrlf", "false"],
  ["apply.whitespace", "nowarn"],
  ["apply.ignoreWhitespace", "no"],
  ["color.ui", "false"],
  ["column.ui", "never"],
  ["diff.noprefix", "false"],
  ["diff.mnemonicPrefix", "false"],
  ["diff.srcPrefix", "a/"],
  ["diff.dstPrefix", "b/"],
  ["diff.context", "3"],
  ["diff.interHunkContext", "0"],
  ["diff.renames", "false"],
  ["diff.relative", "false"],
  ["diff.algorithm", "myers"],
  ["diff.indentHeuristic", "true"],
  ["diff.suppressBlankEmpty", "false"],
  ["diff.submodule", "short"],
  ["diff.ignoreSubmodules", "dirty"],
  ["diff.wordRegex", ""],
  ["diff.colorMoved", "no"],
  ["status.relativePaths", "false"],
  ["status.branch", "false"],
  ["status.renames", "false"],
  ["log.follow", "false"],
  ["log.mailmap", "false"],
  ["i18n.logOutputEncoding", "UTF-8"],
  ["advice.detachedHead", "false"],
];

/** `section.*.name` → the harmless value. A name covers every subsection, and the section without one. */
const drivers: Readonly<Record<string, string>> = {
  "filter.clean": "",
  "filter.smudge": "",
  "filter.process": "",
  "filter.required": "false",
  "diff.command": "",
  "diff.textconv": "",
  "diff.cachetextconv": "false",
  "merge.driver": "",
  "merge.recursive": "binary",
  "hook.command": "",
  "hook.enabled": "false",
  "hook.event": "",
  "credential.helper": "",
  "credential.usehttppath": "false",
  "gpg.program": "false",
  "gpg.defaultkeycommand": "",
  "remote.uploadpack": "git-upload-pack",
  "remote.receivepack": "git-receive-pack",
  "remote.promisor": "false",
  "submodule.update": "none",
  "submodule.recurse": "false",
  "submodule.fetchrecursesubmodules": "false",
  "pager.": "false",
  "mergetool.cmd": "false",
  "difftool.cmd": "false",
  "trailer.command": "",
  "trailer.cmd": "",
  "browser.cmd": "false",
  "man.cmd": "false",
  "guitool.cmd": "false",
  "protocol.allow": "never",
};

/** True for a key whose value git may execute or be steered by; used for the findings too. */
function harmlessValue(entry: Pick<GitConfigEntry, "section" | "name">): string | undefined {
  return drivers[`${entry.section}.${entry.name}`] ?? drivers[`${entry.section}.`];
}

/** The overrides that keep every executing key of these entries from taking effect. */
export function overridesFor(entries: readonly GitConfigEntry[]): Override[] {
  const found = new Map<string, string>();
  for (const entry of entries) {
    const value = harmlessValue(entry);
    if (value === undefined) continue;
    const key = settingKey(entry);
    if (key.includes("\uFFFD") || key.includes("\n"))
      fail(
        "unsafe_repository",
        `The git configuration names a driver that cannot be switched off: ${JSON.stringify(key)}.`,
        { remedy: "Rename or remove it in .git/config, then try again." },
      );
    found.set(key, value);
  }
  return [...fixedOverrides, ...found];
}
