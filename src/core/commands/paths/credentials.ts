// Files that hold logins, keys or other people's words, by name. Literal paths are matched by rules, patterns by asking
// whether they could mean one of the usual suspects.
import {
  agentFolderPattern,
  agentInstructionPattern,
  agentProgramRows,
  secretFiles as rules,
} from "../../contract/index.ts";
import { anyOf, couldBe, isLiteral } from "../lexer/pattern.ts";

/** Where patterns are asked about: one name each, as they are found in the wild. */
const suspects: readonly string[] = [
  ".env",
  ".env.local",
  ".env.production",
  ".envrc",
  "~/.ssh",
  "~/.ssh/id_rsa",
  "~/.ssh/id_ed25519",
  "~/.ssh/config",
  "~/.aws",
  "~/.aws/credentials",
  "~/.azure",
  "~/.kube/config",
  "~/.gnupg",
  "~/.docker/config.json",
  "~/.netrc",
  "~/.npmrc",
  ".npmrc",
  "~/.pypirc",
  "~/.pgpass",
  "~/.git-credentials",
  "~/.config/gh/hosts.yml",
  "~/.config/gcloud/credentials.db",
  "~/.config/google-chrome",
  ...agentProgramRows.map(({ ownFiles: [login] }) => `~/${login}`),
  "~/.bash_history",
  "~/.zsh_history",
  "~/.password-store",
  "~/.mozilla",
  "~/.vault-token",
  "/etc/shadow",
  "/etc/gshadow",
  "/etc/sudoers",
  "/etc/passwd",
  "/proc/self/environ",
  "/proc/1/environ",
  "id_rsa",
  "id_ed25519",
  "credentials",
  "credentials.json",
  "server.pem",
  "server.key",
  "secrets.json",
  "secrets.yaml",
  "terraform.tfstate",
];
const homes = ["/root", "/home/user", "$HOME"];

const basename = (path: string) => path.slice(path.lastIndexOf("/") + 1);

/** No system opens a longer one. */
const longestPath = 4096;

/** The content of a path that should be asked about, in words; undefined for the rest. */
export function credentialIn(path: string): string | undefined {
  const plain = path.replace(/^file:\/\/(localhost)?(?=\/)/, "").replace(/\/+$/, "");
  if (plain.length > longestPath) return undefined;
  if (/(^|\/)\.git\/(?:modules\/.+\/)?config$/.test(plain)) return "the logins in addresses of remotes";
  if (isLiteral(plain)) return rules.find((rule) => rule.path.test(plain))?.what;
  const fixed = plain.replaceAll(/[\uE000-\uE002]/g, "\u0001");
  const sure = rules.find((rule) => rule.path.test(fixed.replaceAll("\u0001", "x")));
  if (sure && (isLiteral(basename(plain)) || /\.(ssh|aws|gnupg|kube)\//.test(fixed))) return sure.what;
  return couldMean(plain);
}

/** The file often only names variables, so that its content decides. */
export const dependsOnContent = (path: string) =>
  rules.find((rule) => rule.path.test(path))?.byContent === true;

/** The content of a path that it is a matter of logins to write. */
export const credentialWritten = (path: string) =>
  rules.find((rule) => rule.path.test(path))?.onlyRead ? undefined : credentialIn(path);

const telling = /cred|secr|id_|rsa|ed25519|pem|key|pass|shad|token|tfstate/i;

/** Names of which enough is written out: `.e*` and `~/.s*` and `/etc/sh?dow`, but not `*` and not `src/*`. */
function couldMean(pattern: string): string | undefined {
  const last = basename(pattern);
  const letters = last.replaceAll(/[\uE000-\uE002]/g, "");
  if (letters === "") return undefined;
  const named =
    last.startsWith(".") || /^(~|\/etc|\/proc|\/root|\/home)/.test(pattern) || telling.test(letters);
  if (!named) return undefined;
  const bare = pattern.replace(/^(\.\/)+/, "");
  const suspect = suspects.find((name) => {
    if (couldBe(bare, name)) return true;
    if (name.startsWith("~/")) return homes.some((home) => couldBe(bare, home + name.slice(1)));
    return false;
  });
  return suspect && (rules.find((rule) => rule.path.test(suspect))?.what ?? "a credentials file");
}

/** The folders under which whole homes lie: reading them all means reading every secret in them. */
export const isWholeHome = (path: string) =>
  /^(\/|\/home|\/Users|(~|\/root|\/home\/[^/]+|\/Users\/[^/]+)(\/(\.config|\.local|\.local\/share|Library|Library\/Application Support))?)$/.test(
    path.replace(/(?!^)\/+$/, ""),
  );

const agentFolders = anyOf(String.raw`
  cursor thehood windsurf clinerules cline roo continue amazonq kiro junie augment goose factory trae
  qwen crush kilocode openhands aiassistant amp agents
`);
/** Files that decide what other programs run. */
const steeringRules: readonly { readonly what: string; readonly path: RegExp }[] = [
  { what: "git's own folder", path: /(^|\/)\.git(\/|$)/i },
  {
    what: "git hooks",
    path: /(^|\/)(\.husky|\.githooks|\.lefthook)(\/|$)|(^|\/)(lefthook|\.pre-commit-config)\.ya?ml$/i,
  },
  { what: "git settings", path: /(^|\/)(\.gitmodules|\.gitattributes|\.gitconfig)$/i },
  {
    what: "a shell start-up file",
    path: /(^|\/)(\.envrc|\.(bash|zsh|k|c)?rc|\.(bash_)?profile|\.bash_login|\.zshenv|\.zprofile)$/i,
  },
  { what: "editor tasks", path: /(^|\/)(\.vscode|\.idea|\.devcontainer|\.fleet|\.zed)(\/|$)/i },
  {
    what: "agent settings",
    path: new RegExp(
      String.raw`(^|\/)\.(${agentFolders})(\/|$)|(^|\/)\.?mcp\.json$|(^|\/)\.(cursor|windsurf|cline|roo|goose|trae|kilo)(rules|hints)$`,
      "i",
    ),
  },
  { what: "agent settings", path: new RegExp(`(^|/)(${agentFolderPattern})(/|$)`, "i") },
  {
    what: "instructions for agents",
    path: new RegExp(
      String.raw`^(?!docs?/)(.*/)?(${agentInstructionPattern}|(AGENT|QWEN|WARP|CRUSH)\.md)$|^\.github/copilot-instructions\.md$`,
      "i",
    ),
  },
  {
    what: "a build tool of the project",
    path: /(^|\/)(gradlew|mvnw)(\.bat|\.cmd)?$|(^|\/)(gradle|\.mvn)\/wrapper(\/|$)/i,
  },
  { what: "CI instructions", path: /(^|\/)\.(github\/workflows|gitlab-ci\.yml|circleci)(\/|$)/i },
];

export const steers = (path: string) => steeringRules.find((rule) => rule.path.test(path))?.what;
