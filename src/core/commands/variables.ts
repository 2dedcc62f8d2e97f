// Rules for variables by name: variables that hold secrets, and variables that make a program run or load code.
import type { CommandClass } from "../contract/index.ts";
import { anyOf, isLiteral } from "./lexer/pattern.ts";
import { isScratch } from "./paths/path-class.ts";

const harmlessNames = new Set(["PWD", "OLDPWD", "SSH_AUTH_SOCK", "XDG_SESSION_ID", "XDG_SESSION_TYPE", "HISTCONTROL"]);
const secretWord =
  /(^|_)(TOKENS?|SECRETS?|PASSWORDS?|PASSWD|PASSPHRASE|PASS|PWD|APIKEYS?|KEY|KEYS|CREDENTIALS?|CREDS?|AUTH|PAT|COOKIES?|DSN|JWT|BEARER|WEBHOOK|SALT|PRIVATE|SIGNATURE)(_|\d|$)/;
const secretWhole =
  /^(DATABASE|DB|REDIS|MONGO(DB)?|POSTGRES(QL)?|PG|MYSQL|AMQP|RABBITMQ|BROKER|ELASTIC(SEARCH)?)_(URL|URI)$|^PG(PASSWORD|PASSFILE)$|CONNECTION_?STRING|(API|ACCESS|PRIVATE|SECRET|SIGNING|ENCRYPTION)_?KEY|PASSWORD|SECRET|TOKEN/;

/** Only upper-case names, the convention for secrets in the environment; lower-case names are a script's own variables. */
export const isSecretName = (name: string) =>
  /^[A-Z][A-Z0-9_]*$/.test(name) && !harmlessNames.has(name) && (secretWord.test(name) || secretWhole.test(name));

/** Programs that only show text: harmless as a pager or an editor. */
const harmlessPrograms = new Set(["cat", "less", "more", "true", ":", "", "head", "tail"]);
/** Editors without a word that makes them run something. */
const plainEditor = /^(n?vim?|nano|pico|emacs( -nw)?|code (--wait|-w))$/;
const pagers = /^((GIT_|MAN|SYSTEMD_|BAT_|AWS_|GH_|DELTA_)?PAGER|(GIT_(SEQUENCE_)?)?EDITOR|VISUAL)$/;

const safeGitNames = anyOf(String.raw`
  (AUTHOR|COMMITTER)_(NAME|EMAIL|DATE) TERMINAL_PROMPT OPTIONAL_LOCKS PAGER_IN_USE MERGE_AUTOEDIT FLUSH
  ADVICE REFLOG_ACTION DISCOVERY_ACROSS_FILESYSTEM LITERAL_PATHSPECS NO_REPLACE_OBJECTS CONFIG_NOSYSTEM
`);
const safeGit = new RegExp(String.raw`^GIT_(${safeGitNames})$`);

const toolPrefixes = anyOf(String.raw`
  LD DYLD GCONV LOCPATH NLSPATH MALLOC GLIBC GIO GTK QT PYTHON PERL5? RUBY GEM BUNDLE LUA NODE NPM YARN
  PNPM BUN DENO JAVA JDK MAVEN GRADLE CARGO RUST GO GIT SSH SUDO DOCKER KUBE HELM TF ANSIBLE MAKE CMAKE
  CC CXX LESS LESSOPEN LESSCLOSE ZDOTDIR BASH GREP RIPGREP TAR GZIP ZIPOPT UNZIP CURL WGET OPENSSL GNUPG
  PINENTRY PIP UV POETRY CONDA VIRTUAL_ENV PHP COMPOSER PYTEST JEST MOCHA RSPEC TOX NOSE ESLINT TS_NODE
  BABEL DOTNET MSBUILD ERL ELIXIR MIX JULIA R_PROFILE R_LIBS LUA FZF CORECLR COR ELECTRON CHROME
  PLAYWRIGHT VIM EXINIT EMACS XDG DBUS SYSTEMD TERMINFO TERMCAP AWS AZURE GOOGLE CLOUDSDK
`);
const shellNames = anyOf(String.raw`
  ENV SHELL SHELLOPTS BASHOPTS PS[0-4] PROMPT_COMMAND IFS HOME USERPROFILE TMPDIR TMP TEMP BROWSER PAGER
  MANPAGER EDITOR VISUAL FCEDIT COMSPEC DISPLAY WAYLAND_DISPLAY LESSOPEN LESSCLOSE MAKEFLAGS MAKE
  _JAVA_OPTIONS BASH_ENV HISTFILE INPUTRC MAIL MAILPATH
`);
const loads: readonly RegExp[] = [
  /^(PATH|CDPATH|FPATH|MANPATH|INFOPATH|CLASSPATH|LIBPATH|SHLIB_PATH)$/,
  new RegExp(String.raw`^(${toolPrefixes})(_|PATH|ADDOPTS|OPT|LIB|INIT|STARTUP|HOME|ENV|FLAGS|FILES|$)`, "i"),
  new RegExp(String.raw`^(${shellNames})$`),
  /^npm_config_/i,
  /^(RUSTC|RUSTDOC|GOROOT|GOBIN|GOTOOLDIR|GOTOOLCHAIN|GOPROXY|GOSUMDB|LD|AR|AS|NM|RANLIB|STRIP|OBJCOPY|FC|F77|NVCC|TSC|YACC|LEX|AWK|SED)$/,
];
/** Proxies and trusted certificates. */
const routes =
  /^(HTTPS?|ALL|FTP|RSYNC)_PROXY$|^(SSL_CERT_(FILE|DIR)|REQUESTS_CA_BUNDLE|NODE_EXTRA_CA_CERTS|NODE_TLS_REJECT_UNAUTHORIZED)$/i;

/** The class of an assignment that has a risk. */
export const settingClass = (name: string): CommandClass => (routes.test(name) ? "network" : "unknown");

/** Flags for a compiler: some of them name a program or a plugin. */
const flagNames = /FLAGS$/;
const flagsThatRun = /plugin|wrapper|specs|linker|-load|-J|-B|agent|@|-fuse-ld|toolexec|-exec|-include/;
/** Names that suggest a program or code, when they are exported to a program and not only set in the shell. */
const suggestsProgram =
  /(_|^)(OPTIONS|OPTS|COMMAND|CMD|PROGRAM|PAGER|EDITOR|BIN|EXEC|EXECUTABLE|PRELOAD|HOOKS?|SHELL|STARTUP|WRAPPER|LAUNCHER|ASKPASS|CONFIG|CONFIG_FILE|RC|RCFILE|PLUGINS?|INTERPRETER|PATH|HOME)$/;
const harmlessSettingNames = anyOf(String.raw`
  NODE_ENV NODE_NO_WARNINGS NODE_DISABLE_COLORS PYTHONUNBUFFERED PYTHONDONTWRITEBYTECODE
  PYTHONIOENCODING PYTHONUTF8 PYTHONHASHSEED PYTHONFAULTHANDLER PYTHONNOUSERSITE PYTHONASYNCIODEBUG
  PYTHONDEVMODE PYTHONSAFEPATH MIX_ENV GO_ENV BABEL_ENV RUST_TEST_THREADS RUST_MIN_STACK
  CARGO_NET_OFFLINE CARGO_BUILD_JOBS UV_OFFLINE UV_NO_SYNC TS_NODE_TRANSPILE_ONLY ESLINT_USE_FLAT_CONFIG
  DOCKER_BUILDKIT TF_LOG JULIA_NUM_THREADS
  DOTNET_(CLI_TELEMETRY_OPTOUT|NOLOGO|SKIP_FIRST_TIME_EXPERIENCE) RUST_BACKTRACE RUST_LOG GOOS GOARCH
  GOMAXPROCS GO111MODULE CGO_ENABLED LESSCHARSET CARGO_TERM_COLOR CARGO_INCREMENTAL PIP_NO_INPUT
  PIP_DISABLE_PIP_VERSION_CHECK GREP_COLORS? MAKELEVEL PHP_CS_FIXER_IGNORE_ENV TF_IN_AUTOMATION TF_INPUT
  AWS_REGION AWS_DEFAULT_REGION AWS_PROFILE AWS_ACCESS_KEY_ID AWS_SECRET_ACCESS_KEY AWS_SESSION_TOKEN
  AWS_EC2_METADATA_DISABLED BUNDLE_WITHOUT CC_TEST_REPORTER_ID GIT_PAGER_IN_USE
  NPM_CONFIG_(COLOR|PROGRESS|LOGLEVEL|FUND|AUDIT|UPDATE_NOTIFIER)
  npm_config_(color|progress|loglevel|fund|audit|update_notifier)
`);
/** Matched by the rules above although harmless. */
const harmlessSettings = new RegExp(String.raw`^(${harmlessSettingNames})$`);

/** Search paths of languages. Values inside the project are harmless, because its own code runs anyway. */
const ownPaths = /^(PYTHONPATH|NODE_PATH|RUBYLIB|PERL5LIB)$/;
const staysInside = (value: string) =>
  isLiteral(value) && value.split(":").every((part) => /^(\.\/)?\w[\w./-]*$/.test(part) && !part.includes(".."));
/** Output folders of tools. */
const ownFolders =
  /^(CARGO_TARGET_DIR|GOCACHE|NODE_V8_COVERAGE|PYTHONPYCACHEPREFIX|BUNDLE_GEMFILE|JEST_JUNIT_OUTPUT_(DIR|FILE|NAME)|PLAYWRIGHT_(HTML_REPORT|JUNIT_OUTPUT_NAME))$/;
/** Variables that can name code, with their harmless values. */
const quietValues: Readonly<Record<string, RegExp>> = {
  NODE_OPTIONS:
    /^(--(max-old-space-size|max-semi-space-size|stack-size|unhandled-rejections|dns-result-order)=[\w-]+|--(trace-warnings|no-warnings|no-deprecation|trace-deprecation|trace-uncaught|experimental-vm-modules|experimental-strip-types|experimental-transform-types|enable-source-maps|openssl-legacy-provider|expose-gc)|\s)+$/,
  MAKEFLAGS: /^-?[jks\d\s-]+$/,
  TMPDIR: /^\/tmp\/?$/,
  JAVA_HOME: /^\/usr\/lib\/jvm\/[\w.-]+\/?$/,
  PYTEST_ADDOPTS: /^(-[qvxs]+|--(tb|color|maxfail)=\w+|--no-header|\s)+$/,
  PYTHONWARNINGS: /^[a-z]+$/,
  GOTOOLCHAIN: /^local$/,
  GOPROXY: /^(off|direct)$/,
  CC: /^(gcc|clang|cc|musl-gcc)(-\d+)?$/,
  CXX: /^(g\+\+|clang\+\+|c\+\+)(-\d+)?$/,
  RUBYOPT: /^-W(0|1|2|:\w+)$/,
  ...Object.fromEntries(
    ["MAVEN_OPTS", "GRADLE_OPTS", "JAVA_OPTS", "SBT_OPTS", "JAVA_TOOL_OPTIONS", "_JAVA_OPTIONS"].map((name) => [
      name,
      /^(-Xm[sx]\d+[kmgKMG]|-Xss\d+[kmKM]|-Dfile\.encoding=[\w-]+|-Djava\.awt\.headless=true|\s)+$/,
    ]),
  ),
};
const quietFlags = /^(-(count|timeout|tags|parallel|p)=[\w,.]+|-(race|v|short|trimpath|mod=(vendor|readonly))|\s)*$/;

/** Flags for warnings, optimisation and checks that name neither a program nor a file. */
const quietRust =
  /^(-[DWAF][\w:-]+|-C(opt-level|debuginfo|target-cpu|overflow-checks|debug-assertions|panic)=[\w.+-]+|-[gO])?$/;
const isQuietRust = (value: string) =>
  value
    .replaceAll(/(?<=^|\s)(-[DWAFC])\s+/g, "$1")
    .split(/\s+/)
    .every((flag) => quietRust.test(flag));

/** `postgres://user:password@host/db`, where the host is not this machine. */
const loginElsewhere = /^[a-z][\w+.-]*:\/\/[^/?#]*@(?!(?:localhost|127\.0\.0\.1|\[::1\])(?:[:/?#]|$))/i;

/** The risk of setting a variable; undefined when there is none. */
export function assignmentRisk(
  name: string,
  value: string,
  handedOn: boolean,
  /** The program works on the project and runs its code anyway. */
  works = false,
): string | undefined {
  // For one command only: `IFS= read -r line`.
  if (name === "IFS" && handedOn) return undefined;
  if (routes.test(name)) return value === "" ? undefined : `${name} changes where requests go or whom they trust`;
  if (handedOn && loginElsewhere.test(value)) return `${name} holds a login for another machine`;
  // A folder for temporary files in the temporary folder.
  if (/^(TMPDIR|TMP|TEMP)$/.test(name) && isScratch(value)) return undefined;
  if (name.startsWith("GIT_TRACE") && /^([012]|true|false)$/.test(value)) return undefined;
  if (handedOn && ownPaths.test(name) && (staysInside(value) || (works && value === "."))) return undefined;
  if (handedOn && ownFolders.test(name) && staysInside(value)) return undefined;
  if (Object.hasOwn(quietValues, name) && quietValues[name]?.test(value)) return undefined;
  if (name === "GOFLAGS" && isLiteral(value) && quietFlags.test(value)) return undefined;
  if (/^RUST(DOC)?FLAGS$/.test(name) && isLiteral(value) && isQuietRust(value)) return undefined;
  if (/^HIST(FILE)?SIZE$/.test(name) && value === "0") return `${name}=0 ends the record of what the shell runs`;
  if (safeGit.test(name) || harmlessSettings.test(name)) return undefined;
  if (/^(EDITOR|VISUAL|GIT_EDITOR)$/.test(name) && plainEditor.test(value)) return undefined;
  if (pagers.test(name) && isLiteral(value) && harmlessPrograms.has(value.split(/\s/)[0] ?? "")) return undefined;
  if (name === "GIT_CONFIG_GLOBAL" || name === "GIT_CONFIG_SYSTEM")
    return value === "/dev/null" ? undefined : `${name} chooses settings that can run programs`;
  if (name === "BASH_FUNC" || name.startsWith("BASH_FUNC_")) return `${name} defines a function for a later shell`;
  if (flagNames.test(name) && (!isLiteral(value) || flagsThatRun.test(value)))
    return `${name} tells a compiler to run or load something`;
  return loads.some((rule) => rule.test(name)) || (handedOn && suggestsProgram.test(name))
    ? `Setting ${name} can make a program run or load something else`
    : undefined;
}
