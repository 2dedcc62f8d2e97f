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
      return fish(table);
    case "powershell":
      return powershell(table);
    default:
      return fail("invalid_input", `There are no completions for "${shell}".`, {
        remedy: `Choose one of: ${shells.join(", ")}`,
      });
  }
}

/** What each option takes, over all commands: a value that one of them would refuse is refused by it with a remedy. */
function valuesOf(table: readonly CommandSpec[]): [string, string[]][] {
  const found = new Map<string, Set<string>>();
  for (const { name, choices = [] } of table.flatMap(({ options = [] }) => options))
    if (choices.length > 0) found.set(name, new Set([...(found.get(name) ?? []), ...choices]));
  return [...found].map(([name, choices]) => [name, [...choices]]);
}

const takesRun = (spec: CommandSpec): boolean => spec.args?.some(({ name }) => name === "run") === true;

function bash(
  firsts: readonly string[],
  seconds: (first: string) => string[],
  table: readonly CommandSpec[],
  flags: (spec: CommandSpec) => string[],
): string {
  const cases = firsts.map((first) => {
    const family = table.filter((spec) => spec.name.split(" ")[0] === first);
    const words = family.flatMap(({ args = [] }) => args.flatMap(({ choices = [] }) => choices));
    const runs = family.some(takesRun) ? " $(_thehood_runs)" : "";
    return `    ${first}) words="${[...new Set([...seconds(first), ...words, ...family.flatMap(flags)])].join(" ")}${runs}" ;;`;
  });
  const values = valuesOf(table).map(([name, choices]) => `    --${name}) words="${choices.join(" ")}" ;;`);
  return `_thehood_runs() {
  thehood runs --json --limit 50 2>/dev/null | grep -o '"runId":"[0-9a-z_]*' | cut -d'"' -f4
}
_thehood() {
  local words=""
  case "\${COMP_WORDS[COMP_CWORD-1]}" in
${values.join("\n")}
    --run) words="$(_thehood_runs)" ;;
  esac
  if [ -z "$words" ] && [ "$COMP_CWORD" -gt 1 ]; then
    case "\${COMP_WORDS[1]}" in
${cases.join("\n")}
    esac
  fi
  [ -n "$words" ] || words="${firsts.join(" ")} --help --version"
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _thehood thehood
`;
}

const quote = (text: string) => `'${text.replaceAll("'", "\\'")}'`;

function fish(table: readonly CommandSpec[]): string {
  const lines = table.flatMap((spec) => {
    const [first, second] = spec.name.split(" ");
    const under = `complete -c thehood -n ${quote(`__fish_seen_subcommand_from ${first}`)}`;
    const word = second
      ? `${under} -a ${second} -d ${quote(spec.summary)}`
      : `complete -c thehood -n __fish_use_subcommand -a ${first} -d ${quote(spec.summary)}`;
    const options = [...commonOptions, ...(spec.options ?? [])].map(({ name, value, choices = [] }) =>
      choices.length > 0
        ? `${under} -l ${name} -x -a ${quote(choices.join(" "))}`
        : `${under} -l ${name}${value ? " -r" : ""}`,
    );
    const words = spec.args?.flatMap(({ choices = [] }) => choices) ?? [];
    return [
      word,
      ...options,
      ...(words.length > 0 ? [`${under} -a ${quote(words.join(" "))}`] : []),
      ...(takesRun(spec) ? [`${under} -a '(__thehood_runs)'`] : []),
    ];
  });
  return `function __thehood_runs
  thehood runs --json --limit 50 2>/dev/null | string match -ra 'run_[0-9a-z]+' | sort -u
end
${[...new Set(lines)].join("\n")}
`;
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
