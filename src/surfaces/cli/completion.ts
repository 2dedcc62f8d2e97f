// Shell completions, derived from the table of commands.
import { fail } from "../../contract/index.ts";
import { commonOptions, type CommandSpec } from "./spec.ts";

export const shells = ["bash", "zsh", "fish", "powershell"] as const;

export function completionScript(shell: string, table: readonly CommandSpec[]): string {
  const firsts = [...new Set(table.map((spec) => spec.name.split(" ")[0] ?? ""))];
  const seconds = (first: string) =>
    table.filter((spec) => spec.name.startsWith(`${first} `)).map((spec) => spec.name.split(" ")[1] ?? "");
  const flags = (spec: CommandSpec) =>
    [...commonOptions, ...(spec.options ?? [])].map((option) => `--${option.name}`);
  switch (shell) {
    case "bash":
      return bash(firsts, seconds, table, flags);
    case "zsh":
      return `#compdef thehood\nautoload -U +X bashcompinit && bashcompinit\n${bash(firsts, seconds, table, flags)}`;
    case "fish":
      return fish(table, flags);
    case "powershell":
      return powershell(table);
    default:
      return fail("invalid_input", `There are no completions for "${shell}".`, {
        remedy: `Choose one of: ${shells.join(", ")}`,
      });
  }
}

function bash(
  firsts: readonly string[],
  seconds: (first: string) => string[],
  table: readonly CommandSpec[],
  flags: (spec: CommandSpec) => string[],
): string {
  const cases = firsts.map((first) => {
    const own = table.filter((spec) => spec.name.split(" ")[0] === first).flatMap(flags);
    return `    ${first}) words="${[...seconds(first), ...new Set(own)].join(" ")}" ;;`;
  });
  return `_thehood() {
  local words="${firsts.join(" ")} --help --version"
  if [ "$COMP_CWORD" -gt 1 ]; then
    case "\${COMP_WORDS[1]}" in
${cases.join("\n")}
    esac
  fi
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _thehood thehood
`;
}

const quote = (text: string) => `'${text.replaceAll("'", "\\'")}'`;

function fish(table: readonly CommandSpec[], flags: (spec: CommandSpec) => string[]): string {
  const lines = table.flatMap((spec) => {
    const [first, second] = spec.name.split(" ");
    const under = `__fish_seen_subcommand_from ${first}`;
    const word = second
      ? `complete -c thehood -n ${quote(under)} -a ${second} -d ${quote(spec.summary)}`
      : `complete -c thehood -n __fish_use_subcommand -a ${first} -d ${quote(spec.summary)}`;
    return [word, ...flags(spec).map((flag) => `complete -c thehood -n ${quote(under)} -l ${flag.slice(2)}`)];
  });
  return `${[...new Set(lines)].join("\n")}\n`;
}

function powershell(table: readonly CommandSpec[]): string {
  const names = [...new Set(table.map((spec) => spec.name.split(" ")[0]))]
    .map((name) => `'${name}'`)
    .join(", ");
  return `Register-ArgumentCompleter -Native -CommandName thehood -ScriptBlock {
  param($word)
  @(${names}) | Where-Object { $_ -like "$word*" } | ForEach-Object { [System.Management.Automation.CompletionResult]::new($_) }
}
`;
}
