// The first screen of the help: the options and commands that most requests need, in 24 lines of 80 columns.

/** A heading and its rows: an option or the words of a command, and what it does. */
export const screen: readonly (readonly [string, ...(readonly [string, string])[]])[] = [
  [
    "Ask",
    ["-p, --prompt <text>", "The request; also in quotes without the flag"],
    ["-f, --file <paths...>", "Files, folders, globs to send; !pattern leaves out"],
    ["-m, --model <name>", "The model; --models a,b asks several at once"],
    ["-e, --engine <engine>", "api or browser; api when there is a key"],
    ["--copilot", "GitHub Copilot's page; other pages: --browser-url"],
    ["--followup <session>", "Continue the conversation of an earlier session"],
    ["--dry-run", "Show what would be sent, and send nothing"],
  ],
  [
    "Diff",
    ["--apply-mode <mode>", "What git does: none, check, apply, commit"],
    ["--retry-if-no-diff", "Ask again when no usable diff came"],
    ["--push", "After the commit push the branch; never forced"],
    ["--json", "Print one JSON document on stdout"],
  ],
  [
    "Look",
    ["status", "List sessions"],
    ["session <id>", "Show one and its answer; also attach, cancel"],
    ["restart <id>", "Ask again, or fetch an answer that waits"],
  ],
  [
    "Set up",
    ["browser login [site]", "Log in to a page once, in a window of our own"],
    ["browser check [site]", "Compare a live page with our data; sends nothing"],
    ["models [model]", "List where runs can go; also doctor"],
    ["mcp", "Serve oracle to MCP clients"],
  ],
];

const usage = 'Usage: oracle "the request" [-f paths...] [options]   or   oracle <command>';
const more = "All options and commands: oracle --help --all   One: oracle <command> --help";
const exits = "Exit codes: 0 success, 2 no diff, 3 secret, 4 not applied, 5 no commit, 6 time";

export function firstScreen(about: string): string {
  const label = Math.max(...screen.map(([group]) => group.length));
  const width = Math.max(...screen.flatMap(([, ...rows]) => rows.map(([words]) => words.length)));
  const lines = screen.flatMap(([group, ...rows]) =>
    rows.map(([words, text], at) => `${(at === 0 ? group : "").padEnd(label)} ${words.padEnd(width)} ${text}`),
  );
  return `${[about, usage, ...lines, more, exits].join("\n")}\n`;
}
