// Completions of a program as scripts of the shells.
import { fail } from "../../core/contract/index.ts";
import { completionShells } from "./completion.ts";
import { partOptions, partsOf, type CommandSpec, type OptionSpec } from "./spec.ts";

interface Completed {
  readonly name: string;
  readonly common: readonly OptionSpec[];
  /** The options of the program called without a command. */
  readonly root: CommandSpec | undefined;
}

export function completionScript(program: Completed, shell: string, table: readonly CommandSpec[]): string {
  switch (shell) {
    case "bash":
      return bash(program, table);
    case "zsh":
      return zsh(program.name, bash(program, table));
    case "fish":
      return fish(program, table);
    case "powershell":
      return powershell(program.name, table);
    default:
      return fail("invalid_input", `There are no completions for "${shell}".`, {
        remedy: `Choose one of: ${completionShells.join(", ")}`,
      });
  }
}

const firstWords = (table: readonly CommandSpec[]): readonly string[] => [
  ...new Set(table.map((spec) => spec.name.split(" ")[0] ?? "")),
];

/** The options of a command, those that select one of its parts, and those of the parts. */
function optionsIn(table: readonly CommandSpec[], spec: CommandSpec): readonly OptionSpec[] {
  const parts = partsOf(table, spec);
  return [...(spec.options ?? []), ...partOptions(parts), ...parts.flatMap(({ options = [] }) => options)];
}

const offered = ({ suggest, choices = [] }: OptionSpec): readonly string[] => suggest ?? choices;

/** The values of each option, over all commands: a command that takes fewer refuses the others with a remedy. */
function valuesOf(table: readonly CommandSpec[]): [string, string[]][] {
  const found = new Map<string, Set<string>>();
  for (const option of table.flatMap(({ options = [] }) => options)) {
    const { name } = option;
    if (offered(option).length > 0) found.set(name, new Set([...(found.get(name) ?? []), ...offered(option)]));
  }
  return [...found].map(([name, values]) => [name, [...values]]);
}

/** What commands are about, by the names of their arguments: the command that lists it, and the key of its name there. */
const listings = [
  { args: ["run"], command: "runs --json --limit 50", from: "runs", key: "runId" },
  { args: ["id", "ids"], command: "status --json", from: "status", key: "id" },
] as const;

type Listing = (typeof listings)[number];

/** Null for a program whose commands are about nothing that is listed. */
const listingOf = (table: readonly CommandSpec[]): Listing | null =>
  listings.find(
    ({ args, from }) => table.some(({ name }) => name === from) && table.some((spec) => takesOne(spec, args)),
  ) ?? null;

const takesOne = (spec: CommandSpec, args: readonly string[]): boolean =>
  spec.args?.some(({ name }) => args.includes(name)) === true;

function bash({ name: program, common, root }: Completed, table: readonly CommandSpec[]): string {
  const flags = (spec: CommandSpec) => [...common, ...optionsIn(table, spec)].map((option) => `--${option.name}`);
  const firsts = firstWords(table.filter(({ nowIn }) => !nowIn));
  const listing = listingOf(table);
  const cases = firstWords(table).map((first) => {
    const family = table.filter((spec) => spec.name.split(" ")[0] === first);
    const seconds = family.flatMap((spec) => spec.name.split(" ")[1] ?? []);
    const words = family.flatMap(({ args = [] }) => args.flatMap(({ choices = [] }) => choices));
    const runs = family.some((spec) => takesOne(spec, listing?.args ?? [])) ? ` $(_${program}_listed)` : "";
    return `    ${first}) words="${[...new Set([...seconds, ...words, ...family.flatMap(flags)])].join(" ")}${runs}" ;;`;
  });
  const values = valuesOf(root ? [root, ...table] : table).map(
    ([name, choices]) => `    --${name}) words="${choices.join(" ")}" ;;`,
  );
  const alone = [...firsts, ...(root ? flags(root) : ["--help"]), "--version"].join(" ");
  const oldNames = firstWords(table).filter((first) => !firsts.includes(first));
  return `${bashListing(program, listing)}_${program}() {
  local words=""
  case "\${COMP_WORDS[COMP_CWORD-1]}" in
${[...values, ...(listing?.from === "runs" ? [`    --run) words="$(_${program}_listed)" ;;`] : [])].join("\n")}
  esac
  if [ -z "$words" ] && [ "$COMP_CWORD" -gt 1 ]; then
    case "\${COMP_WORDS[1]}" in
${cases.join("\n")}
    esac
  fi
  [ -n "$words" ] || words="${alone}"
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
  if [ "$COMP_CWORD" -eq 1 ] && [ \${#COMPREPLY[@]} -eq 0 ]; then
    COMPREPLY=($(compgen -W "${oldNames.join(" ")}" -- "\${COMP_WORDS[COMP_CWORD]}"))
  fi
}
complete -o default -F _${program} ${program}
`;
}

const bashListing = (program: string, listing: Listing | null): string =>
  listing === null
    ? ""
    : `_${program}_listed() {
  ${program} ${listing.command} 2>/dev/null | grep -o '"${listing.key}": *"[^"]*' | cut -d'"' -f4
}
`;

/** zsh reads the completions of bash. The file can be sourced, or lie in a folder of $fpath as _PROGRAM. */
const zsh = (program: string, script: string): string => `#compdef ${program}
(( $+functions[compdef] )) || { autoload -U compinit && compinit -i }
autoload -U +X bashcompinit && bashcompinit
${script}[[ "\${funcstack[1]}" == _${program} ]] && _bash_complete -o default -F _${program} || true
`;

const quote = (text: string) => `'${text.replaceAll("'", "\\'")}'`;

const fishOption = (under: string, option: OptionSpec): string =>
  offered(option).length > 0
    ? `${under} -l ${option.name} -x -a ${quote(offered(option).join(" "))}`
    : `${under} -l ${option.name}${option.value ? " -r" : ""}`;

function fish({ name: program, common, root }: Completed, table: readonly CommandSpec[]): string {
  const listing = listingOf(table);
  const lines = table.flatMap((spec) => {
    const [first, second] = spec.name.split(" ");
    const under = `complete -c ${program} -n ${quote(`__fish_seen_subcommand_from ${first}`)}`;
    const described = `-d ${quote(spec.summary)}`;
    const word = second
      ? `${under} -a ${second} ${described}`
      : `complete -c ${program} -n __fish_use_subcommand -a ${first} ${described}`;
    const options = [...common, ...optionsIn(table, spec)].map((option) => fishOption(under, option));
    const words = spec.args?.flatMap(({ choices = [] }) => choices) ?? [];
    return [
      ...(spec.nowIn ? [] : [word]),
      ...options,
      ...(words.length > 0 ? [`${under} -a ${quote(words.join(" "))}`] : []),
      ...(takesOne(spec, listing?.args ?? []) ? [`${under} -a '(__${program}_listed)'`] : []),
    ];
  });
  const alone = `complete -c ${program} -n __fish_use_subcommand`;
  const own = (root?.options ?? []).map((option) => fishOption(alone, option));
  return `${fishListing(program, listing)}${[...new Set([...own, ...lines])].join("\n")}
`;
}

const fishListing = (program: string, listing: Listing | null): string =>
  listing === null
    ? ""
    : `function __${program}_listed
  ${program} ${listing.command} 2>/dev/null | string match -rag '"${listing.key}": *"([^"]*)' | sort -u
end
`;

function powershell(program: string, table: readonly CommandSpec[]): string {
  const names = firstWords(table.filter(({ nowIn }) => !nowIn))
    .map((name) => `'${name}'`)
    .join(", ");
  return `Register-ArgumentCompleter -Native -CommandName ${program} -ScriptBlock {
  param($word)
  @(${names}) | Where-Object { $_ -like "$word*" } | ForEach-Object { [System.Management.Automation.CompletionResult]::new($_) }
}
`;
}
