// Paths that hold logins, keys or private data, and paths that decide what other programs run. Literal paths are matched by
// rules; patterns are compared with a list of common secret files.
import {
  agentFolderPattern,
  agentInstructionPattern,
  agentProgramRows,
  secretFiles as rules,
} from "../../contract/index.ts";
import { anyOf, couldBe, isLiteral } from "../lexer/pattern.ts";

/** Common secret files that patterns are compared with. */
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

/** The limit of operating systems. */
const longestPath = 4096;

/** What the path holds, when reading it needs approval; undefined otherwise. */
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

/** The file often only names variables, so its content decides. */
export const dependsOnContent = (path: string) => rules.find((rule) => rule.path.test(path))?.byContent === true;

/** What the path holds, when writing it needs approval as a credential. */
export const credentialWritten = (path: string) =>
  rules.find((rule) => rule.path.test(path))?.onlyRead ? undefined : credentialIn(path);

const secretPart = /cred|secr|id_|rsa|ed25519|pem|key|pass|shad|token|tfstate/i;

/** Patterns with a sufficient literal part: `.e*`, `~/.s*` and `/etc/sh?dow`, but not `*` and not `src/*`. */
function couldMean(pattern: string): string | undefined {
  const last = basename(pattern);
  const letters = last.replaceAll(/[\uE000-\uE002]/g, "");
  if (letters === "") return undefined;
  const named = last.startsWith(".") || /^(~|\/etc|\/proc|\/root|\/home)/.test(pattern) || secretPart.test(letters);
  if (!named) return undefined;
  const bare = pattern.replace(/^(\.\/)+/, "");
  const suspect = suspects.find((name) => {
    if (couldBe(bare, name)) return true;
    if (name.startsWith("~/")) return homes.some((home) => couldBe(bare, home + name.slice(1)));
    return false;
  });
  return suspect && (rules.find((rule) => rule.path.test(suspect))?.what ?? "a credentials file");
}

/** Homes and folders that contain homes: reading all of them includes every secret in them. */
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
