// Files of git's that travel with a clone: attributes, submodules.
import { ConfigSyntaxError, parseConfig } from "../../../platform/git/index.ts";
import { shown, type ReportFinding } from "../finding.ts";
import { addressSink } from "../git-config.ts";
import { list, type FileRule } from "./file-rule.ts";

export function reportAttributes(text: string, path: string, report: ReportFinding): void {
  const drivers = new Set<string>();
  for (const line of text.split(/\r?\n/).slice(0, 20_000))
    if (!line.startsWith("#"))
      for (const found of line.matchAll(/(?:^|\s)((?:filter|diff|merge|working-tree-encoding)=\S+)/g))
        drivers.add(found[1] ?? "");
  const builtIn =
    /^(diff=(ada|astro|bash|bibtex|cpp|csharp|css|dts|elixir|fortran|fountain|golang|html|java|kotlin|markdown|matlab|objc|pascal|perl|php|python|ruby|rust|scheme|tex)|merge=(union|binary|text)|filter=lfs|diff=lfs|merge=lfs)$/;
  const own = [...drivers].filter((driver) => !builtIn.test(driver));
  if (own.length === 0) return;
  report({
    kind: "git_attributes",
    path,
    severity: "low",
    what: `files are given to drivers: ${list(own)}`,
    why: "git runs such a driver when a configuration names a program for it",
    remedy: "Check that your own git configuration names no program for these drivers.",
  });
}

function reportModules(text: string, report: ReportFinding): void {
  let entries;
  try {
    entries = parseConfig(text);
  } catch (error) {
    if (!(error instanceof ConfigSyntaxError)) throw error;
    report({
      kind: "submodule",
      severity: "medium",
      what: `cannot be read (${error.message})`,
      why: "git reads it at every submodule command",
      remedy: "Repair or remove the file.",
    });
    return;
  }
  for (const { name, value, subsection } of entries) {
    const address = name === "url" ? addressSink(value ?? "") : undefined;
    const runs = name === "update" && value?.startsWith("!");
    const leads =
      (name === "path" && /(^|\/)(\.\.|\.git)(\/|$)|^-|^\//i.test(value ?? "")) ||
      /(^|\/)\.\.(\/|$)/.test(subsection ?? "");
    if (address || runs || leads)
      report({
        kind: "submodule",
        severity: "high",
        what: `${shown(subsection, 60)}.${name} = ${shown(value)}`,
        why: address?.why ?? (runs ? "run by `git submodule update`" : "a submodule that would lie outside its place"),
        remedy: "Do not initialise the submodules of this repository.",
      });
  }
  const urls = entries.filter((entry) => entry.name === "url").map((entry) => entry.value ?? "");
  if (urls.length > 0)
    report({
      kind: "submodule",
      severity: "low",
      what: `${urls.length} submodule(s): ${list(urls)}`,
      why: "their content and hooks are fetched from there by `git submodule update`",
      remedy: "Look at the addresses before you initialise them. We never do.",
    });
}

export const gitFileRules: readonly FileRule[] = [
  { path: /(^|\/)\.gitattributes$/, look: (text, report, path) => reportAttributes(text, path, report) },
  { path: /^\.gitmodules$/, look: (text, report) => reportModules(text, report) },
  {
    path: /(^|\/)\.lfsconfig$/,
    look: (text, report) =>
      report({
        kind: "git_config",
        severity: "low",
        what: `git-lfs is configured: ${shown(text)}`,
        why: "git-lfs takes its server from here and sends credentials to it",
        remedy: "Check the address.",
      }),
  },
];
