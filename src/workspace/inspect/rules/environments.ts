// Files that shells and version managers take over by entering a folder.
import { shown } from "../finding.ts";
import { presence, readLines, type FileRule } from "./file-rule.ts";

const enter = "Do not allow it before you have read it.";

export const environmentRules: readonly FileRule[] = [
  {
    path: /(^|\/)\.envrc$/,
    look: (text, report) =>
      report({
        kind: "shell_environment",
        severity: "high",
        what: `direnv: ${shown(text)}`,
        why: "run by entering the folder once `direnv allow` was given, also by agents' shells",
        remedy: enter,
      }),
  },
  {
    path: /(^|\/)(\.?mise(\/config)?(\.[^/]+)?|\.config\/mise(\/config)?(\.[^/]+)?|\.rtx)\.toml$/,
    look: (text, report) => {
      for (const { section, key, value } of readLines(text)) {
        const runs =
          /^hooks\b/.test(section) ||
          /^_\.(source|file|path)$/.test(key) ||
          /exec\(/.test(value) ||
          /^(plugins|alias|settings)$/.test(section);
        if (runs)
          report({
            kind: "shell_environment",
            severity: "high",
            what: `mise ${shown(section)}.${shown(key)}: ${shown(value)}`,
            why: "run or sourced by entering the folder once it is trusted",
            remedy: enter,
          });
      }
    },
  },
  {
    path: /(^|\/)\.tool-versions$/,
    look: (text, report) => {
      if (/\b(path|ref):/.test(text))
        report({
          kind: "shell_environment",
          severity: "medium",
          what: `versions by path or ref: ${shown(text)}`,
          why: "asdf and mise start programs from there",
          remedy: enter,
        });
    },
  },
  {
    path: /(^|\/)(flake|shell|devenv|default)\.nix$/,
    look: (text, report) => {
      if (/shellHook|enterShell|nixConfig|builtins\.exec/.test(text))
        report({
          kind: "shell_environment",
          severity: "medium",
          what: "runs commands in its shell",
          why: "run by `nix develop`, `nix-shell`, `devenv shell`, and by direnv's `use flake`",
          remedy: enter,
        });
    },
  },
  {
    path: /(^|\/)devbox\.json$/,
    look: (text, report) => {
      if (/init_hook/.test(text))
        report({
          kind: "shell_environment",
          severity: "medium",
          what: "an init_hook",
          why: "run by `devbox shell`",
          remedy: enter,
        });
    },
  },
  presence(
    /(^|\/)\.(Rprofile|irbrc|pryrc)$/,
    "shell_environment",
    "medium",
    "start-up code of an interpreter",
    "run by starting that interpreter in this folder",
    enter,
  ),
  presence(
    /(^|\/)((site|user)customize\.py|[^/]+\.pth)$/,
    "shell_environment",
    "medium",
    "start-up code of Python",
    "run by every Python that has this folder on its path",
    enter,
  ),
  presence(
    /(^|\/)\.(autoenv|in|env\.sh|autoenv\.zsh)$/,
    "shell_environment",
    "medium",
    "a script for autoenv",
    "run by entering the folder",
    enter,
  ),
];
