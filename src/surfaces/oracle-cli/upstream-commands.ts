// The commands of steipete/oracle: those with other options here, and those that are something else here.
import type { Translated } from "./upstream.ts";

/** Commands that are something else here. */
const others: Readonly<Record<string, string>> = {
  tui: "There is no screen for sessions here. List them with: oracle status; follow one with: oracle attach ID",
  bridge: "There is no bridge here. Use the browser of another machine with: oracle --remote ssh://HOST …",
  conversation:
    "A conversation of a session is exported by: oracle session ID; its folder has answer.md and answer.html",
  "project-sources": "Files of a ChatGPT project are managed in its page; a run in that project: --browser-url ADDRESS",
  "oracle-mcp": "The MCP server is: oracle mcp",
};

const has = (argv: readonly string[], name: string) => argv.includes(name);

function valueOf(argv: readonly string[], name: string): string | undefined {
  const at = argv.findIndex((word) => word === name || word.startsWith(`${name}=`));
  if (at < 0) return undefined;
  const word = argv[at] ?? "";
  return word === name ? argv[at + 1] : word.slice(name.length + 1);
}

/** `--clear --hours 168` and `--clear --all` of the list and of one session. */
const clearing = (argv: readonly string[]): string[] =>
  has(argv, "--all") ? ["clear", "--all"] : ["clear", "--older-than", `${valueOf(argv, "--hours") ?? "24"}h`];

const sessionOptions = new Set([
  "--render",
  "--render-markdown",
  "--render-plain",
  "--no-render",
  "--hide-prompt",
  "--verbose-render",
  "--path",
  "--live",
  "--harvest",
]);

const asIs = (argv: readonly string[]): Translated => ({ argv, note: null, instead: null });

/** `--host H:P` or `--host H --port P`; the token is made here, in a file. */
function serving(argv: readonly string[]): Translated {
  const host = valueOf(argv, "--host");
  const port = valueOf(argv, "--port");
  const hasToken = argv.some((word) => word.split("=")[0] === "--token");
  if (host === undefined && port === undefined && !hasToken) return asIs(argv);
  const taken = new Set(["--host", "--port", "--token"]);
  const rest = argv.filter(
    (word, at) => !taken.has(word) && !taken.has(word.split("=")[0] ?? "") && !taken.has(argv[at - 1] ?? ""),
  );
  const address = host?.includes(":") === true ? host : `${host ?? "127.0.0.1"}:${port ?? "9473"}`;
  const note = hasToken ? "--token: no effect here; oracle makes one in ~/.oracle/browser/serve-token" : null;
  return { argv: [...rest, "--listen", address], note, instead: null };
}

/** A session has one model here, so there is nothing to choose with --model. */
function withoutModel(argv: readonly string[]): string[] {
  const at = argv.findIndex((word) => word === "--model" || word.startsWith("--model="));
  return at < 0 ? [...argv] : argv.toSpliced(at, argv[at] === "--model" ? 2 : 1);
}

/** The commands on sessions: without an id both list, with one both show it. */
function onSessions([first = "", ...all]: readonly string[]): string[] {
  if (has(all, "--clear") || has(all, "--clean")) return clearing(all);
  const given = withoutModel(all);
  const rest = given.filter((word) => !sessionOptions.has(word));
  const isNamed = rest.some((word, at) => !word.startsWith("-") && !/^--(hours|limit)$/.test(rest[at - 1] ?? ""));
  if (isNamed) return ["session", ...rest];
  const asksHelp = has(given, "--help") || has(given, "-h");
  return [first === "session" && !asksHelp ? "status" : first, ...rest];
}

export function fromUpstreamCommand(first: string, argv: readonly string[]): Translated {
  const text = Object.hasOwn(others, first) ? others[first] : undefined;
  if (text !== undefined) return { ...asIs(argv), instead: { text, help: has(argv, "--help") || has(argv, "-h") } };
  if (first === "serve") return serving(argv.filter((word) => word !== "--manual-login"));
  if (first === "status" || first === "session")
    return {
      argv: onSessions(argv),
      note: withoutModel(argv).length === argv.length ? null : "--model: no effect here; all sessions are meant",
      instead: null,
    };
  if (first === "doctor" && has(argv, "--providers")) return asIs(["models"]);
  return asIs(argv);
}
