// Interpreters of other languages. Their code is not parsed: known words in it give the class; without them it is unknown,
// which needs approval as well.
import type { Arg, CommandCall, ProgramJudge, ProgramJudges } from "../call.ts";
import { parseOptions } from "../options.ts";
import { anyOf, asGlob, isLiteral } from "../lexer/pattern.ts";
import { credentialIn, steers } from "../paths/credentials.ts";
import { each, reader, splitWords, runsOwnScript, serving } from "./build.ts";
import { editsByPerl, editsByRuby, plainTexts } from "./plain-code.ts";
import { feedCode } from "./shells.ts";
import { startedPrograms } from "./started-programs.ts";

const credential = new RegExp(
  anyOf(String.raw`
    \bprocess\.env\b \benviron\b \bgetenv\b \bENV\b %ENV \$ENV\b \bDeno\.env\b \bBun\.env\b
    \bSystem\.getenv \bprocess\.report\b \.ssh\b \.aws\b \.netrc \.npmrc \bid_rsa\b \bid_ed25519\b
    (^|[^\w])\.env\b(?!\.example) \/etc\/shadow \bkeyring\b \bkeychain\b
  `),
);
const deletingCalls = anyOf(String.raw`
  rmSync rmdirSync unlinkSync truncateSync rmtree rmdir removedirs unlink remove_tree rm_rf rm_r
  FileUtils\.rm File\.delete Dir\.rmdir os\.remove os\.kill process\.kill fs\.rm fs\.unlink fs\.truncate
  fsPromises\.rm Deno\.remove shutil\.move truncate \.unlink\( \.rmdir\(
`);
const destructive = new RegExp(String.raw`\b(${deletingCalls})`);
const network = new RegExp(
  anyOf(String.raw`
    \bfetch\s*\( \bhttps?:\/\/ \bhttps?\.(get|request)\b \burllib \brequests\.(?!__file__|__version__) \bhttpx\b \baiohttp\b
    \bsocket\b ["'](node:)?(net|http|https|http2|dgram|dns|tls)["']
    \bnet\.(connect|createConnection|Socket|createServer) \bdgram\b \bdns\b \bLWP\b \bIO::Socket \bNet::
    \bopen-uri\b \bWebSocket\b \bXMLHttpRequest\b \baxios\b \bftplib\b \bsmtplib\b \bfsockopen\b \bcurl_
  `),
);
const starts = new RegExp(
  anyOf(String.raw`
    \bchild_process\b \bexec(Sync|File|FileSync)?\s*\( \bspawn(Sync)?\s*\( \bsubprocess\b \bos\.system\b
    \bpopen\b \bsystem\s*[("'] \bqx\b \x60 \bProcess\. \bshell_exec\b \bpassthru\b \bproc_open\b
    \bos\.exec \bpty\b \bDeno\.Command \bBun\.spawn \bRuntime\.getRuntime
  `),
);

/** Texts in quotes that may be a path, and functions that give a folder outside the project. */
const quotedPath = /(["'`])(\/[^"'`]*|~[^"'`]*|(?:[^"'`]*\/)?\.\.(?:\/[^"'`]*)?)\1/g;
const otherFolders =
  /\b(system|exec(?!ute(many|script)?\()|execfile|eval|spawn|binding|Function|constructor|fork|expanduser|expandvars|homedir|Path\.home|chdir|kill|ctypes|HOME|userInfo|tmpdir|gettempdir|symlink)|\.parents?\b/;

const splitsAtSlash = /\b(r?split|join|replace|(starts|ends)[wW]ith|r?strip|count)\(\s*(["'])\/\3|(["'])\/\4\.join\(/g;

/** `/users/1`: the path of an address or a route. A file elsewhere stands below one of the folders that systems have. */
const isAddress = (path: string): boolean =>
  /^\/[\w:{}.-]+(\/[\w:{}.*-]*)*$/.test(path) &&
  !path.includes("..") &&
  !/^\/(home|users|root|etc|usr|var|opt|tmp|proc|sys|dev|mnt|media|srv|s?bin|lib(32|64)?|boot|run|data|work(space)?s?|repos?|code|projects|volumes|private|library|system|applications|nix|snap|app|efs|shared?)(\/|$)/i.test(
    path,
  );

/** The code names a path outside the workspace, or computes one. */
function namesOtherPlaces(call: CommandCall, text: string): boolean {
  if (otherFolders.test(text)) return true;
  for (const [, , path = ""] of text.matchAll(/(["'`])([^"'`\n]{1,200})\1/g))
    if (steers(call.placeOf(path).path) !== undefined || credentialIn(path) !== undefined) return true;
  const paths = text.replaceAll(splitsAtSlash, "");
  return [...paths.matchAll(quotedPath)].some(([, , path = ""]) => {
    if (/^\/(dev\/null|tmp\/[\w.-]+)$/.test(path)) return false;
    if (path.startsWith("~")) return true;
    return call.placeOf(path).kind !== "inside" && !(call.where === "worktree" && isAddress(path));
  });
}

function judgeCode(call: CommandCall, code: Arg): void {
  const { text } = code;
  const report = (kind: Parameters<CommandCall["report"]>[0], why: string) =>
    call.report(kind, `The ${call.name} code ${why}`, code);
  if (onlyReads(call, code)) return;
  if (credential.test(text)) report("credential_sensitive", "reads the environment or credentials");
  const running = starts.test(text);
  const stays = !running && isLiteral(text) && !network.test(text) && !namesOtherPlaces(call, text);
  if (destructive.test(text)) {
    if (stays) call.discard(`The ${call.name} code deletes or ends things`, code);
    else report("destructive", "deletes or ends things");
  }
  if (running) startedLines(call, code);
  if (network.test(text) && !running) return report("network", "uses the network");
  const seen = running && call.where === "worktree" ? startedPrograms(call.name, text) : undefined;
  seen?.lines.forEach((line) => call.code({ ...code, text: line }));
  if (stays || (seen && isLiteral(text) && !namesOtherPlaces(call, seen.rest)))
    call.runsOwnCode(`The ${call.name} code can do anything`, code);
  else report("unknown", "can do anything");
}

/** Code that can only compute and print reads the files that it names, like `cat`. */
function onlyReads(call: CommandCall, code: Arg): boolean {
  if (!/^(node|nodejs|python[\d.]*|pypy3?|py)$/.test(call.name)) return false;
  // An interactive interpreter then runs code from its input.
  if (call.args.some(({ text }) => /^(-[a-zA-Z]*i[a-zA-Z]*|--interactive)$/.test(text))) return false;
  const risky = [credential, destructive, network, starts].some((kind) => kind.test(code.text));
  if (risky || !isLiteral(code.text)) return false;
  const texts = plainTexts(code.text, call.name.startsWith("py") ? "python" : "node");
  if (!texts) return false;
  texts.forEach((text) => call.read({ ...code, text: asGlob(text) }));
  call.report("read_only", `The ${call.name} code only computes and prints`, code);
  return true;
}

/** Quoted text may be a command line that the code starts: only findings worse than unknown count. */
function startedLines(call: CommandCall, code: Arg): void {
  for (const match of code.text.matchAll(/"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'|`([^`]*)`/g)) {
    const text = (match[1] ?? match[2] ?? match[3] ?? "").replaceAll(/\\(["'\\])/g, "$1");
    if (/\s/.test(text)) call.suspect({ ...code, text });
  }
}

interface Interpreter {
  /** Options followed by code. */
  readonly code: string;
  readonly values?: string;
  /** Options that only print information, or check syntax. */
  readonly tells?: string;
  /** Options that load a file or a module first. */
  readonly loads?: string;
  /** Options that make it read more code from its input afterwards. */
  readonly asks?: string;
  readonly module?: (call: CommandCall, name: Arg, args: readonly Arg[]) => void;
}

/** `php vendor/bin/phpunit`, `node node_modules/.bin/tsc` and `node node_modules/typescript/bin/tsc` are `tsc`. */
const installedTool =
  /^(?:\.\/)?(?:vendor\/bin|node_modules\/(?:\.bin|(?:@[\w.-]+\/)?[\w.-]+\/(?:bin|dist\/bin)))\/([\w-]+)(?:\.[cm]?js)?$/;

/** `-r dotenv/config`: a module by its name comes from the packages of the project, which run in its sandbox anyway. */
const isInstalledModule = (call: CommandCall, value: Arg | undefined) =>
  call.where === "worktree" &&
  !/^(socket|net\b|open-uri|http|IO::Socket|LWP)/i.test(value?.text ?? "") &&
  /^@?[a-z][\w-]*([/.:=]\w[\w-]*)*$/i.test(value?.text ?? "");

function interpreter(shape: Interpreter): ProgramJudge {
  const [code, tells, loads] = [splitWords(shape.code), splitWords(shape.tells ?? ""), splitWords(shape.loads ?? "")];
  const values = [...code, ...loads, ...splitWords(shape.values ?? ""), ...(shape.module ? ["-m"] : [])];
  return (call) => {
    const { options, rest } = parseOptions(call.args, { values, stopEarly: true });
    for (const { name, value, arg } of options)
      if (loads.includes(name) && !isInstalledModule(call, value))
        call.report("unknown", `${call.name} ${name} loads code`, arg);
    for (const { name, arg } of options)
      if (splitWords(shape.asks ?? "").includes(name))
        call.report("unknown", `${call.name} ${name} waits for more code`, arg);
    // A warning category may be a class of a module, which is then loaded.
    for (const { name, value, arg } of options)
      if (name === "-W" && /:\w+\.\w/.test(value?.text ?? ""))
        call.report("unknown", `${call.name} -W loads a module`, arg);
    const given = options.filter(({ name }) => code.includes(name));
    for (const { value, arg } of given)
      // `node -p -r ./x.js 1`: the option before took no code.
      if (value?.text.startsWith("-")) call.report("unknown", `${call.name} takes more options`, value);
      else judgeCode(call, value ?? arg);
    if (given.length > 0) return;
    const module = options.find(({ name }) => name === "-m")?.value;
    if (module && shape.module) return shape.module(call, module, rest);
    if (options.some(({ name }) => tells.includes(name))) return rest.forEach((arg) => call.read(arg));
    const [script] = rest;
    if (!script || script.text === "-") return feedCode(call, (text) => judgeCode(call, text));
    const tool = installedTool.exec(script.text)?.[1];
    if (tool !== undefined && !call.isAway(script.text)) return call.run([{ ...script, text: tool }, ...rest.slice(1)]);
    if (!runsOwnScript(call, script, rest.slice(1)))
      call.report("unknown", `${call.name} runs a program of unknown content`, script);
  };
}

const quietModules = new Set(
  splitWords("this json.tool tokenize ast dis platform sysconfig site calendar tabnanny pyclbr"),
);
const writingModules = new Set(
  splitWords(
    "venv virtualenv pytest unittest doctest mypy black ruff isort flake8 pylint coverage build compileall py_compile zipfile tarfile gzip cython pyright tox nox sphinx pdoc mkdocs nose hatch",
  ),
);

function pythonModule(call: CommandCall, name: Arg, args: readonly Arg[]): void {
  const text = isLiteral(name.text) ? name.text : "";
  if (text === "pip" || text === "ensurepip") {
    if (text === "ensurepip") return call.report("dependency_install", "ensurepip installs pip", name);
    return call.run([{ ...name, text: "pip" }, ...args]);
  }
  if (text === "json.tool")
    return reader({ values: "--indent", secondIsWritten: true })({ ...call, args, cwd: call.cwd });
  args.forEach((arg) => call.read(arg));
  if (quietModules.has(text)) return call.report("read_only", `python -m ${text} only reads`, name);
  if (writingModules.has(text)) args.filter((arg) => /^(\/|~|\.\.)/.test(arg.text)).forEach((arg) => call.write(arg));
  if (writingModules.has(text)) return call.report("local_write", `python -m ${text} works on the project`, name);
  if (
    call.where === "worktree" &&
    /^(http\.server|uvicorn|gunicorn|flask|aiohttp\.web|SimpleHTTPServer|pydoc)$/.test(text)
  )
    return serving({ ...call, name: `python -m ${text}`, cwd: call.cwd });
  if (
    /^(http\.server|smtpd|xmlrpc\.server|pydoc|webbrowser|uvicorn|gunicorn|flask|django|aiohttp\.web|SimpleHTTPServer|smtplib|ftplib|telnetlib|urllib.*)$/.test(
      text,
    )
  )
    return call.report("network", `python -m ${text} uses the network`, name);
  const inner = args.findIndex((arg) => arg.text === "-m");
  if (/^(cProfile|profile|trace)$/.test(text) && inner >= 0) {
    const target = args.findIndex((arg) => arg.text === "-o" || arg.text === "--outfile");
    if (target >= 0 && args[target + 1]) call.write(args[target + 1] as Arg);
    return call.run([{ ...name, text: "python" }, ...args.slice(inner)]);
  }
  if (text === "twine" && args[0]?.text === "check") return call.report("read_only", "twine check only reads", name);
  if (/^(pipx|poetry|pipenv|uv|conda)$/.test(text)) return call.run([{ ...name }, ...args]);
  const why = `python -m runs the module ${text || "that is only known when it runs"}`;
  const stays =
    text !== "" && args.every((arg) => isLiteral(arg.text) && !call.isAway(arg.text.replace(/^[^=]*=/, "")));
  if (stays) call.runsOwnCode(why, name);
  else call.report("unknown", why, name);
}

const python = interpreter({
  code: "-c",
  values: "-W -X --check-hash-based-pycs",
  tells: "-V -h -VV",
  asks: "-i",
  module: pythonModule,
});
const node = interpreter({
  code: "-e --eval -p --print -pe",
  values:
    "--max-old-space-size --stack-size --title --env-file --input-type --conditions -C --test-name-pattern --test-reporter --test-reporter-destination",
  tells: "-v -h -c --check --v8-options",
  loads: "-r --require --import --loader --experimental-loader",
  asks: "-i --interactive",
});

/** They run TypeScript with node's options. */
const typescript = interpreter({
  code: "-e --eval -p --print -pe",
  values: "--conditions --test-name-pattern --test-reporter -I --ignore -D --ignoreDiagnostics",
  tells: "-v -V -h --showConfig",
  loads:
    "-r --require --import --loader --experimental-loader -P --project --tsconfig -O --compilerOptions --compiler -C",
  asks: "-i --interactive",
});

/** `-pe CODE` and `-p -e CODE` print the value of the code; the code is that of `-e`. */
function withoutPrint(args: readonly Arg[]): readonly Arg[] {
  const plain = args.map((arg) =>
    /^-[pe]{2,}$/.test(arg.text) ? { ...arg, text: arg.text.includes("e") ? "-e" : "-p" } : arg,
  );
  const evaluates = plain.some(({ text }) => /^(-e|--eval(=|$))/.test(text));
  // `-p CODE` after another option has its own code.
  return evaluates
    ? plain.filter(
        ({ text }, at) => !/^(-p|--print)$/.test(text) || !/^(-e|--eval(=|$))/.test(plain[at + 1]?.text ?? ""),
      )
    : plain;
}

const perl = interpreter({
  code: "-e -E -ne -pe -ie -le -nle",
  values: "-I",
  tells: "-v -V",
  loads: "-M -m",
});
/** `perl -Ilib -c FILE` runs the modules that the file names; all are of the project. */
function checksPerl(call: CommandCall): boolean {
  const [file, ...more] = call.args.filter(({ text }) => !/^-(c|w|wc|cw|Ilib|It|I\.)$/.test(text));
  const checks = call.args.some(({ text }) => /^-(c|wc|cw)$/.test(text));
  if (
    !checks ||
    !file ||
    more.length > 0 ||
    file.text.startsWith("-") ||
    call.isAway(file.text) ||
    call.baseFile(file.text) !== "same"
  )
    return false;
  call.read(file);
  call.report("local_write", "perl -c checks a file of the project");
  return true;
}

/** The usual arguments to test or check a project in these languages. */
const testing: Readonly<Record<string, RegExp>> = {
  Rscript:
    /^(--vanilla )?-e (devtools|testthat|lintr|styler|roxygen2|rcmdcheck)::(test|check|load_all|document|lint_package|lint_dir|test_dir|test_file|test_local|roxygenise|rcmdcheck)\((["'][\w./-]*["'])?\)$/,
  clojure: /^-[MX]:(test|lint|format|fmt|check|kondo)$/,
};

function testsProject(call: CommandCall): boolean {
  const line = call.args.map(({ text }) => text).join(" ");
  if (!testing[call.name]?.test(line) || /(^|[ ("'=])(\/|~|\.\.)/.test(line)) return false;
  if (call.cwd.kind !== "inside") return false;
  call.report("local_write", `${call.name} tests or checks the project`);
  return true;
}

function runsFirst(call: CommandCall): void {
  const [script, ...args] = call.args;
  if (!script || !runsOwnScript(call, script, args))
    call.report("unknown", `${call.name} runs a program of unknown content`);
}

const ruby = interpreter({ code: "-e", values: "-I -C -E -W", tells: "-v -c", loads: "-r" });
const php = interpreter({
  code: "-r -B -R -E",
  values: "-d -c -t",
  tells: "-v -i -l -m",
  loads: "-F -f",
});

export const interpreters: ProgramJudges = {
  ...each("python python2 python3 py", python),
  ...each("node nodejs", (call) => {
    if (call.args.some(({ text }) => text === "--test"))
      return call.report("local_write", "node --test runs the tests of the project");
    if (call.args.some(({ text }) => text.startsWith("--env-file")))
      call.report("credential_sensitive", "node reads environment secrets");
    if (call.args.some(({ text }) => /^--run(=|$)/.test(text)))
      return call.report("local_write", "node --run runs a script of the project");
    node({ ...call, args: withoutPrint(call.args), cwd: call.cwd });
  }),
  perl: (call) => (editsByPerl(call) || checksPerl(call) ? undefined : perl(call)),
  ruby: (call) => (editsByRuby(call) ? undefined : ruby(call)),
  php: (call) => {
    if (call.args.some(({ text }) => /^(-i|--info)$/.test(text)))
      call.report("credential_sensitive", "php -i shows all variables");
    php(call);
  },
  ...each(
    "julia octave raku",
    interpreter({ code: "-e -E --eval --print", values: "-C --threads", tells: "-v", loads: "-L -M" }),
  ),
  lua: interpreter({ code: "-e", tells: "-v", loads: "-l" }),
  Rscript: (call) => (testsProject(call) ? undefined : interpreter({ code: "-e" })(call)),
  clojure: (call) => (testsProject(call) ? undefined : runsFirst(call)),
  elixir: interpreter({ code: "-e --eval --rpc-eval", tells: "-v", loads: "-r -pr -pa -pz -S --require --app" }),
  ...each("tsx ts-node", (call) => typescript({ ...call, args: withoutPrint(call.args), cwd: call.cwd })),
  java: (call) =>
    call.args.every(({ text }) => /^-?-version$/.test(text)) && call.args.length > 0
      ? call.report("read_only", "java only tells its version")
      : call.args.some(
            ({ text }) =>
              /^(-agent|-javaagent|@|-.*(\/|:|=)\/)|\.\./.test(text) || (text.startsWith("/") && call.isAway(text)),
          )
        ? call.report("unknown", "java runs a program of unknown content")
        : void call.runsOwnCode("java runs a program of unknown content"),
};
