// Files that hold logins, keys or other people's words, by name. Literal paths are matched by rules, patterns by asking
// whether they could mean one of the usual suspects.
import { couldBe, isLiteral } from "../text/pattern.ts";

interface Rule {
  readonly what: string;
  readonly path: RegExp;
}

const rules: readonly Rule[] = [
  {
    what: "environment secrets",
    path: /(^|\/)\.env(\.(?!(example|sample|template|dist|defaults|schema)$)[\w.-]+)?$/i,
  },
  {
    what: "environment secrets",
    path: /(^|\/)(\.envrc|[\w.-]+\.env|env\.(prod|production|local|staging))$/i,
  },
  {
    what: "SSH keys",
    path: /(^|\/)\.ssh(\/|$)|(^|\/)id_(rsa|dsa|ecdsa|ed25519)(_sk)?(\.[\w-]+)?$|(^|\/)authorized_keys$/i,
  },
  { what: "SSH host keys", path: /^\/etc\/ssh\/.*key/i },
  { what: "a private key or key store", path: /\.(pem|key|p12|pfx|p8|jks|keystore|kdbx?|ppk|gpg)$/i },
  {
    what: "cloud or cluster logins",
    path: /(^|\/)\.(aws|azure|kube|gcloud|oci|aliyun|bluemix|ibmcloud|linode|scw|fly|minikube)(\/|$)/i,
  },
  {
    what: "cloud logins",
    path: /(^|\/)(\.s3cfg|\.boto|\.dockercfg|\.passwd-s3fs|kubeconfig|\.kubeconfig)$/i,
  },
  { what: "encryption keys", path: /(^|\/)\.(gnupg|password-store|age|pki)(\/|$)/i },
  {
    what: "container registry logins",
    path: /(^|\/)\.docker\/config\.json$|^(~|\/root|\/home\/[^/]+)\/\.docker(\/|$)/i,
  },
  {
    what: "registry tokens",
    path: /(^|\/)(\.npmrc|\.yarnrc(\.yml)?|\.pypirc|\.bunfig\.toml|\.cargo\/credentials(\.toml)?|\.gem\/credentials|\.m2\/settings(-security)?\.xml|\.nuget\/.*config|nuget\.config|\.composer\/auth\.json|pip\.conf)$/i,
  },
  {
    what: "stored logins",
    path: /(^|\/)[._]netrc$|(^|\/)\.(git-credentials|pgpass|my\.cnf|mylogin\.cnf|vault-token|htpasswd|fetchmailrc|msmtprc|muttrc|smbcredentials|cifs-creds|pwpolicy|rclone\.conf|terraformrc)$/i,
  },
  {
    what: "stored logins",
    path: /(^|\/)\.config\/(gh|hub|glab|gcloud|op|rclone|sops|age|doctl|heroku|stripe|configstore|fish\/fish_history|git\/credentials|filezilla|thehood|github-copilot|opencode|goose|crush|containers\/auth\.json)(\/|$)/i,
  },
  {
    what: "agent logins",
    path: /(^|\/)\.(claude|codex|gemini|cursor|copilot|openai|anthropic|continue|aider|oracle)\/.*(credential|auth|token|oauth|login|session).*$|^(~|\/root|\/home\/[^/]+)\/\.(claude|codex|gemini|cursor|copilot|oracle)(\.json|\/.*)?$/i,
  },
  {
    what: "a browser profile",
    path: /(^|\/)(\.mozilla|\.config\/(google-chrome|chromium|BraveSoftware|microsoft-edge|vivaldi|opera)[\w-]*|snap\/firefox|Application Support\/(Google|Firefox|Chromium|BraveSoftware|Microsoft Edge|com\.apple))(\/|$)|(^|\/)(Cookies(\.binarycookies)?|Login Data|key[34]\.db|logins\.json|cookies\.sqlite)$/i,
  },
  {
    what: "a keychain",
    path: /(^|\/)(Library\/Keychains|\.local\/share\/(keyrings|kwalletd)|keyrings)(\/|$)|\.keychain(-db)?$/i,
  },
  {
    what: "a credentials file",
    path: /(^|\/)\.?credentials?(\.(json|ya?ml|toml|xml|csv|txt|ini|enc|properties|conf|cfg|db|plist))?$/i,
  },
  {
    what: "a credentials file",
    path: /(^|\/)\.?(secrets?|client_secrets?|passwords?|tokens?)\.(json|ya?ml|toml|csv|txt|ini|enc|properties|conf|cfg|db|plist)$/i,
  },
  {
    what: "a credentials file",
    path: /(^|\/)(auth|service[-_]?account[\w.-]*|client_secret[\w.-]*|gcp-key[\w.-]*|firebase-adminsdk[\w.-]*|application_default_credentials)\.json$|(^|\/)(wp-config\.php|master\.key|\.terraform\.d\/credentials.*|secring\.\w+|[\w.-]*credentials\.json)$/i,
  },
  { what: "infrastructure state with secrets", path: /\.(tfstate(\.backup)?|tfvars(\.json)?)$/i },
  {
    what: "a shell or tool history",
    path: /(^|\/)(\.\w*_history|\.lesshst|\.viminfo|\.histfile|\.local\/share\/fish\/fish_history|ConsoleHost_history\.txt)$/i,
  },
  {
    what: "password hashes or account data",
    path: /^\/(private\/)?etc\/(g?shadow-?|sudoers(\.d(\/.*)?)?|master\.passwd|passwd-?|krb5\.keytab|ppp\/.*secrets|ipsec\.secrets|openvpn(\/.*)?|wireguard(\/.*)?|ssl\/private(\/.*)?|pki\/.*private.*|letsencrypt(\/.*)?|kubernetes(\/.*)?|docker\/.*|NetworkManager\/system-connections(\/.*)?)$/i,
  },
  {
    what: "the environment or memory of a process",
    path: /^\/proc\/[^/]+\/(task\/[^/]+\/)?(environ|mem|maps|fd(\/.*)?|root(\/.*)?|cwd(\/.*)?|auxv|stack|pagemap)$|^\/proc\/(kcore|keys|key-users)$|^\/dev\/(k?mem|port)$/i,
  },
  {
    what: "mounted secrets",
    path: /^\/(var\/)?run\/(secrets|credentials|user\/[^/]+\/(keyring|gnupg|bus|ssh-agent.*))(\/|$)/i,
  },
];

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
  "~/.claude/.credentials.json",
  "~/.codex/auth.json",
  "~/.gemini/oauth_creds.json",
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

/** What a path holds that should be asked about, in words; undefined for the rest. */
export function credentialIn(path: string): string | undefined {
  const plain = path.replace(/^file:\/\/(localhost)?(?=\/)/, "").replace(/\/+$/, "");
  if (plain.length > longestPath) return undefined;
  if (isLiteral(plain)) return rules.find((rule) => rule.path.test(plain))?.what;
  const fixed = plain.replaceAll(/[\uE000-\uE002]/g, "\u0001");
  const sure = rules.find((rule) => rule.path.test(fixed.replaceAll("\u0001", "x")));
  if (sure && (isLiteral(basename(plain)) || /\.(ssh|aws|gnupg|kube)\//.test(fixed))) return sure.what;
  return couldMean(plain);
}

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
  /^(~|\/|\/root|\/home|\/home\/[^/]+|\/Users|\/Users\/[^/]+)$/.test(path.replace(/(?!^)\/+$/, ""));
