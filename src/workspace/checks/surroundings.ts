// Source that reads its surroundings: arguments, variables, folder, callers, git, the clock or chance. Such work can distinguish a
// check from real use, or give another result each time, so its checks run more than once.

interface Looks {
  readonly at: "surroundings" | "chance";
  readonly what: string;
  readonly pattern: RegExp;
  /** It is the same in every run of a check, so passing twice proves nothing about it. */
  readonly fixed?: true;
}

/** Modules of Node that serve as well as ask: what only serves, or only tests an address, reads nothing from elsewhere. */
const servers = String.raw`["'](?:node:)?(?:net|https?|http2)["']`;
const asks = "get|request|connect|createConnection|Socket|Agent|globalAgent";

/** Uses by which code can decide: an HTTP server, the parts of a URL or the form of an address are none. */
const network = new RegExp(
  [
    String.raw`["'](?:node:)?(?:dns|tls|dgram)(?:\/promises)?["']`,
    String.raw`\{[^{}]*\b(?:${asks})\b[^{}]*\}\s*(?:from|=)[^;]*${servers}`,
    String.raw`\bimport\s+(?:\*\s+as\s+)?(?!(?:net|https?|http2)\b)\w+\s+from\s*${servers}`,
    String.raw`\b(?!(?:net|https?|http2)\b)\w+\s*=\s*(?:await\s+)?(?:require|import)\s*\(\s*${servers}\s*\)(?!\s*\.)`,
    String.raw`${servers}\s*\)+\s*\??\.\s*(?!createServer|createSecureServer|Server|STATUS_CODES|isIP)\w`,
    String.raw`\b(?:net|https?|http2)\??\.(?:${asks})\b`,
    String.raw`\bfetch\s*\(|\bXMLHttpRequest\b|\bWebSocket\b`,
    String.raw`^\s*(?:import|from)\s+(?:socket|requests|urllib3|urllib\.request|http\.client|httpx|aiohttp)\b`,
    String.raw`^\s*(?:import\s+urllib\s*(?:,|$)|from\s+(?:urllib|http)\s+import\b.*\b(?:request|client)\b)`,
    String.raw`\bhttp\.(?:Get|Head|Post|PostForm|Client|DefaultClient|Transport|DefaultTransport)\b`,
    String.raw`\bnet\.(?:Dial\w*|Lookup\w*|Resolver|DefaultResolver|Interfaces|InterfaceAddrs)\b`,
    String.raw`^\s*(?:import\s+)?[\w.]+\s+"net(?:\/http)?"|"net\/(?:smtp|rpc)"`,
    String.raw`\b(?:TcpStream|UdpSocket|ToSocketAddrs|reqwest)\b`,
  ].join("|"),
);

const table: readonly Looks[] = [
  {
    at: "surroundings",
    what: "its arguments",
    pattern:
      /\bprocess\.(?:argv0?|execArgv|execPath)\b|\bsys\.(?:argv|orig_argv|executable)\b|\bos\.Args\b|\benv::args\b|\brequire\.main\b|\bimport\.meta\.main\b|\$0\b/,
  },
  {
    at: "surroundings",
    what: "its variables",
    pattern:
      /\bprocess\.env\b|\bos\.(?:environ|getenv|Getenv|LookupEnv|Environ)\b|\benv::vars?\b|\bDeno\.env\b|\bimport\.meta\.env\b/,
  },
  {
    at: "surroundings",
    what: "whether it is in production",
    fixed: true,
    pattern:
      /(?:\benv\b|[Ee]nviron|[Gg]etenv|LookupEnv|\bvars?\b).{0,12}\b(?:\w+_ENV|PROD|PRODUCTION|RELEASE|STAGE|STAGING|DEPLOY\w*)\b|\bimport\.meta\.env\.(?:PROD|DEV|MODE)\b/,
  },
  {
    at: "surroundings",
    what: "its folder",
    pattern:
      /\bprocess\.cwd\(|\b__dirname\b|\b__filename\b|\bimport\.meta\.(?:url|dirname|filename)\b|\bos\.(?:getcwd|Getwd)\b|\b__file__\b|\benv::current_(?:dir|exe)\b|\bos\.Executable\b/,
  },
  {
    at: "surroundings",
    what: "its callers",
    pattern:
      /\.stack\b|\bcaptureStackTrace\b|\binspect\.(?:stack|currentframe)\b|\bsys\._getframe\b|\btraceback\.|\bruntime\.Callers?\b|\bBacktrace\b|\bsys\.modules\b|\brequire\.cache\b|\bmodule\.parent\b|\bflag\.Lookup\b|\btesting\.Testing\b/,
  },
  // Calls of JavaScript and Python are made again at a terminal too.
  { at: "surroundings", what: "its terminal", pattern: /\bisTTY\b|\bisatty\b/ },
  { at: "surroundings", what: "git", pattern: /["'`/]\.git\b|\bgit (?:rev-parse|status|log|diff)\b/ },
  {
    at: "surroundings",
    what: "the machine",
    fixed: true,
    pattern:
      /\bos\.(?:hostname|userInfo|homedir|Hostname|UserHomeDir|uname|getlogin|cpus|totalmem|loadavg|networkInterfaces|uptime)\b|\bprocess\.(?:ppid|title|getuid)\b|\bisatty\.\w+\(|\bIsTerminal\b|["'`]\/(?:proc|sys|etc|dev)\b|\bplatform\.node\b|\bgetpass\.|\bPath\.home\b|\bexpanduser\b/,
  },
  {
    at: "surroundings",
    what: "the network",
    fixed: true,
    pattern: network,
  },
  {
    at: "chance",
    what: "the clock",
    fixed: true,
    pattern:
      /\bDate\.now\b|\bDate\(\)|\bTemporal\.Now\b|\btime\.(?:time|time_ns|localtime|gmtime|strftime|Now)\b|\bdatetime\.(?:now|today|utcnow)\b|\bdate\.today\b|\bSystemTime::now\b|\b(?:Utc|Local)::now\b/,
  },
  {
    at: "chance",
    what: "chance",
    pattern:
      /\bperformance\.now\b|\bprocess\.(?:pid|hrtime|uptime)\b|\bMath\.random\b|\bcrypto\.random\w+|\btime\.(?:monotonic|perf_counter)\b|\brandom\.\w+\(|\bos\.(?:getpid|Getpid|urandom)\b|\brand::|\brand\.\w+\(|\bInstant::now\b/,
  },
];

export interface Look {
  readonly path: string;
  readonly line: number;
  readonly what: string;
  readonly at: Looks["at"];
  readonly fixed: boolean;
}

/** The first line of each kind that the work adds. */
export function looksAround(
  path: string,
  after: string,
  added: readonly (readonly [start: number, count: number])[],
): Look[] {
  const lines = after.split("\n");
  const mine = added.flatMap(([start, count]) => Array.from({ length: count }, (_, at) => start + at));
  return table.flatMap(({ at, what, pattern, fixed = false }) => {
    const line = mine.find((number) => pattern.test((lines[number - 1] ?? "").slice(0, 5_000)));
    return line === undefined ? [] : [{ path, line, what, at, fixed }];
  });
}
