// The parts that one shell line runs: files of the project it starts or loads, scripts and targets it goes on to. The line
// is read as text and never run; a part that cannot be read is left out.

interface LineRuns {
  /** Files as the line names them: programs, modules loaded before them, configuration. */
  readonly files: readonly string[];
  /** Words after a package manager or a runner of scripts: some of them may be names of scripts. */
  readonly scripts: readonly string[];
  readonly targets: readonly string[];
}

const interpreters =
  /^(?:node|nodejs|tsx|ts-node(?:-esm)?|bun|deno|python[\d.]*|pypy\d*|bash|sh|dash|zsh|ksh|ruby|perl|php|lua|pwsh|Rscript|source|\.|\$[({]\w+[)}])$/;
const scriptRunners = /^(?:npm|pnpm|yarn|bun|npm-run-all2?|run-[sp]|concurrently|wireit|turbo|nx|lerna|composer)$/;
const wrappers =
  /^(?:npx|env|cross-env(?:-shell)?|time|nice|exec|command|dotenv|c8|nyc|timeout|xvfb-run|poetry|uv|pipenv|hatch|pdm|run|coverage|if|then|do|!|\()$/;
/** Options whose value, in the next word, is a file that steers the program. */
const loading =
  /^(?:-r|-c|-f|-p|--require|--import|--loader|--experimental-loader|--config|--config-file|--configfile|--rcfile|--file|--project|--setup|--setup-file|--env-file|--env-file-if-exists|--rcpath|--rootdir)$/;

const looksLikeFile = (word: string): boolean =>
  /^[\w@.+-][\w@./+-]*$/.test(word) && /[./]/.test(word) && !/^\d+(?:\.\d+)*$/.test(word);

const plain = (word: string): string => word.replaceAll(/["']/g, "").replace(/^\.\//, "");

function runsOf(words: readonly string[]): LineRuns {
  const files: string[] = [];
  let at = 0;
  while (at < words.length && (/^\w+=/.test(words[at] ?? "") || wrappers.test(words[at] ?? ""))) at++;
  const program = words[at] ?? "";
  const rest = words.slice(at + 1);
  if (program.includes("/")) files.push(program);
  const steering = rest.flatMap((word, index) => {
    const joined = /^--?[\w-]+=(.+)$/.exec(word)?.[1];
    return joined !== undefined ? [joined] : loading.test(word) ? [rest[index + 1] ?? ""] : [];
  });
  if (interpreters.test(program)) {
    const first = rest.find((word, index) => !word.startsWith("-") && !loading.test(rest[index - 1] ?? ""));
    if (first !== undefined) files.push(first);
  }
  return {
    files: [...files, ...steering].map(plain).filter(looksLikeFile),
    scripts: scriptRunners.test(program) ? rest.map((word) => plain(word).replace(/^npm:/, "")) : [],
    targets: /^(?:g?make|\$\(MAKE\)|just)$/.test(program) ? ["*"] : [],
  };
}

/** A word without the quotes and brackets around it. */
const bare = (word: string): string => (word.startsWith("$") ? word : word.replaceAll(/^[("']+|[)"']+$/g, ""));

/** Of a whole script: lines joined by a backslash count as one, comments as none. */
export function runsOfScript(text: string): LineRuns {
  const commands = text
    .slice(0, 100_000)
    .replaceAll(/\\\r?\n/g, " ")
    .split(/&&|\|\||[;|\n&]/)
    .map((part) => part.trim().replace(/^[@+-]+/, ""))
    .filter((part) => part !== "" && !part.startsWith("#"));
  const all = commands.map((command) => runsOf(command.split(/\s+/).map(bare)));
  return {
    files: all.flatMap(({ files }) => files),
    scripts: all.flatMap(({ scripts }) => scripts),
    targets: all.flatMap(({ targets }) => targets),
  };
}
