// Rules for credentials in the formats of well-known files (.netrc, .npmrc, .pgpass, Docker's config.json), on command
// lines and in calls.
import { createStretchLimit, type FoundSecret, type SecretRule, type ScanContext } from "../rule.ts";
import { isEverydayWord, isPlaceholder } from "../placeholder.ts";
import { isLikelyRandom, letterShape } from "../randomness.ts";
import { holdsLogin, isEncodedLogin } from "./header.ts";

const lineRule = (
  label: string,
  literals: readonly string[],
  pattern: RegExp,
  isReal: (value: string, match: RegExpExecArray, context: ScanContext) => boolean,
  isWord: (value: string) => boolean = isEverydayWord,
): SecretRule => {
  // Compiled at its first use: most rules are never used, and compiling all would slow down each start.
  let sticky: RegExp | undefined;
  const stretchLimit = createStretchLimit();
  const judge = (text: string, at: number, context: ScanContext): FoundSecret | undefined => {
    if (!stretchLimit.admits(at, context)) return undefined;
    sticky ??= new RegExp(pattern.source, "y");
    sticky.lastIndex = at;
    const match = sticky.exec(text);
    const value = match?.[1];
    if (match) stretchLimit.read(at + match[0].length, context);
    if (!match || value === undefined || isWord(value) || !isReal(value, match, context)) return undefined;
    const end = at + match[0].length;
    return { label, rank: 2, start: end - value.length, end };
  };
  return { label, rank: 2, literals, judge };
};

const isStrong = (value: string): boolean => {
  const { lower, upper, digits, symbols } = letterShape(value);
  return value.length >= 6 && [lower, upper, digits, symbols].filter((count) => count > 0).length >= 2;
};

const isMixedPassword = (value: string): boolean => {
  const { lower, upper, digits } = letterShape(value);
  return value.length >= 10 && lower > 0 && upper > 0 && digits > 0;
};

/** The second argument of .NET's class for a login. */
const networkCredential = /NetworkCredential\(\s{0,4}"[^"\n]{1,80}",\s{0,4}"([^"\n]{4,80})/;
const codeclimate = /CC_TEST_REPORTER_ID["']?\s{0,3}[:=]\s{0,3}["']?([a-f0-9]{64})/;
const filezilla = /<Pass encoding="base64">([A-Za-z0-9+/]{4,400}={0,2})/;
const netrc =
  /machine[ \t]+\S{1,200}\s+(?:login[ \t]+\S{1,200}\s+)?(?:account[ \t]+\S{1,100}\s+)?password[ \t]+["']?([^\s"'{}#\\][^\s"'{}]{3,300})/;
const login = /login[ \t]+\S{1,200}\s+password[ \t]+["']?([^\s"'{}#\\][^\s"'{}]{5,300})/;
const npmrc = /:_(?:authToken|auth|password)\s{0,3}=\s{0,3}["']?([A-Za-z0-9+/=_.-]{8,2048})/;
const bareNpmrc = /_(?:authToken|auth|password)\s{0,3}=\s{0,3}["']?([A-Za-z0-9+/=_.-]{16,2048})/;
const docker = /"auth"\s{0,4}:\s{0,4}"([A-Za-z0-9+/]{8,1024}={0,2})/;
const curlUser = /(?:-u|--user|--proxy-user)[ =]{1,3}["']?[A-Za-z0-9._@+-]{1,100}:([^\s"'`$<>{}]{4,200})/;
const mysqlPassword =
  /(?:mysql|mysqldump|mysqladmin|mariadb)\b[^\r\n|;&]{0,200}?\s-p["']?([^\s"'`$<>{}-][^\s"'`$<>{}]{5,200})/;
const shortPassword =
  /(?:sshpass|docker login|podman login|az login|htpasswd|redis-cli|7z)\b[^\r\n|;&]{0,200}?\s-(?:pw|[pab])\s{0,2}["']?([^\s"'`$<>{}-][^\s"'`$<>{}]{5,200})/;
/** `CREATE USER … IDENTIFIED BY '…'`, `ALTER ROLE … PASSWORD '…'`. */
const sqlPassword =
  /(?:dentified|DENTIFIED)\s{1,4}(?:(?:with|WITH)\s{1,4}\w{1,40}\s{1,4})?(?:by|BY)\s{1,4}(?:(?:password|PASSWORD)\s{1,4})?["']([^"'\s$<>{}]{6,200})/;
const rolePassword = /(?:PASSWORD|password)\s{1,4}'([^'\s$<>{}]{6,200})/;
/** Settings with only blanks between name and password. */
const directive = /(?:bindpw|requirepass|masterauth|rootpw|r[ow]community)[ \t]{1,8}["']?([^\s"'#$<>{}]{6,200})/;
/** `wandb login KEY` */
const loginKey =
  /(?:wandb|hf|huggingface-cli|sentry-cli|railway|doppler|snyk|vault|modal|pulumi|argocd)\s{1,4}(?:auth\s{1,4})?login\s{1,4}(?:--?[a-z-]{1,20}[= ])?["']?([A-Za-z0-9_.-]{24,200})/;
const loginPrograms = [
  "wandb",
  "hf",
  "huggingface-cli",
  "sentry-cli",
  "railway",
  "doppler",
  "snyk",
  "vault",
  "modal",
  "pulumi",
  "argocd",
];
const htpasswd = /htpasswd\s{1,4}-\w{0,6}b\w{0,6}\s{1,4}\S{1,100}\s{1,4}\S{1,60}\s{1,4}["']?([^\s"'`$<>{}]{6,200})/;
const setSecret = /secrets? set \S{1,80} (?:--body|-b|--value|-v)[ =]["']?([^\s"'`$<>{}]{8,400})/;
const wifiKey = /psk\s{0,2}=\s{0,2}["']?([^\s"'$<>{}]{8,63})/;
const unsealKey = /nseal Key \d{1,2}: {1,4}([A-Za-z0-9+/]{43,45}={0,2})/;
const stringArgument = String.raw`\s{0,4}["'][^"'\r\n]{0,200}["']\s{0,4},`;
const anyArgument = String.raw`\s{0,4}(?:["'][^"'\r\n]{0,200}["']|[\w.]{1,80})\s{0,4},`;
/** Calls with a user and a password as arguments. */
const givenLogin = new RegExp(
  String.raw`(?:auth\s{0,2}=\s{0,2}\(|(?:BasicAuth|basic_auth|\.[Ll]ogin|setCredentials|PasswordCredentials?|Credentials?)\()${stringArgument}\s{0,4}["']([^"'\r\n\s$<>{}]{6,200})`,
);
const givenConnection = new RegExp(
  String.raw`(?:getConnection|createConnection|mysqli_connect|mysqli|PDO)\(${anyArgument}${stringArgument}\s{0,4}["']([^"'\r\n\s$<>{}]{6,200})`,
);
const secureString = /SecureString\s{1,4}(?:-String\s{1,4})?["']([^"'\r\n\s$<>{}]{6,200})/;
const hashedPassword = /:(\$(?:apr1|2[abxy]|[156y]|argon2id?)\$[A-Za-z0-9./$=,+]{20,120})/;
const mnemonic =
  /(?:nemonic|NEMONIC|phrase|PHRASE)["']?\s{0,4}[:=]\s{0,4}["']?((?:[a-z]{3,8} ){11,23}[a-z]{3,8})(?![a-z ])/;
/** `Server=host;User Id=me;Password=…;`: in a connection string every password counts. */
const connection = /(?:[Pp]assword|PASSWORD|[Pp]wd|PWD)\s{0,2}=\s{0,2}([^\s;"'{}$<>#%]{4,100})(?=;)/;
const isConnectionString = (text: string, at: number): boolean =>
  /(?:server|data source|provider|driver|host|user id|uid|database)\s{0,2}=[^;\r\n]{1,80};/i.test(
    text.slice(Math.max(0, at - 200), at),
  );
const psexec = /(?:psexec|PsExec|PSEXEC|psExec)[^\r\n|]{1,200}?\s-p\s{1,3}([^\s"'$%<>{}]{4,80})/;
const netUse = /net use [^\r\n|]{1,200}?\/user:\S{1,80}\s{1,3}([^\s"'%<>{}/*][^\s"'%<>{}]{5,80})/;
const netUser = /net user \S{1,80}\s{1,3}([^\s"'%<>{}/*][^\s"'%<>{}]{5,80})(?=\s{1,3}\/add)/;
const cmdkey = /cmdkey [^\r\n|]{1,200}?\/pass:([^\s"'%<>{}]{6,80})/;
const setPassword = /PASSWORD\('([^'\s$<>{}]{6,200})(?='\))/;
const oracleLogin = /jdbc:oracle:\w{1,8}:[^\s/@:"']{1,60}\/([^\s/@:"'${}<>]{6,80})(?=@)/;
/** `curl -u KEY:X`: some services take a key as the name of the user, with any password. */
const keyAsUser = /(?:-u|--user) ["']?([A-Za-z0-9_-]{20,80})(?=:[Xx]?["'\s])/;
const sonarLogin = /(?:sonar\.|sonar)(?:login|Login|token)["']?[\s,:=]{1,6}["']?([a-f0-9]{40})(?![A-Za-z0-9])/;
const jenkinsCrumb = /Jenkins-Crumb["']?[\s:=]{1,4}["']?([a-f0-9]{32,64})(?![A-Za-z0-9])/;
const pgpassAny = /:\*:[^\s:]{1,80}:([^\s:]{4,200})/;
const pgpass = /:\d{2,5}:[^\s:]{1,80}:[^\s:]{1,80}:([^\s:]{4,200})/;

const connectionRule: SecretRule = (() => {
  const pattern = new RegExp(connection.source, "y");
  return {
    label: "connection_password",
    rank: 2,
    literals: ["assword", "ASSWORD", "pwd", "Pwd", "PWD"],
    judge(text: string, at: number): FoundSecret | undefined {
      const from = /[Pp]/.test(text[at - 1] ?? "") ? at - 1 : at;
      pattern.lastIndex = from;
      const match = pattern.exec(text);
      const value = match?.[1];
      if (
        !match ||
        value === undefined ||
        /^[*x.]+$|^\(|^[A-Za-z_$]{1,3}\.(?:password|pwd)\b|^[A-Za-z_$]+\.[A-Za-z_$.,=()]+$/i.test(value) ||
        !isConnectionString(text, from)
      )
        return undefined;
      const end = from + match[0].length;
      return { label: "connection_password", rank: 2, start: end - value.length, end };
    },
  };
})();

const jwkMember = /"(?:d|k)"\s{0,4}:\s{0,4}"([A-Za-z0-9_-]{40,1400})"/y;

/** The private part of a JSON Web Key: `"d"` or `"k"` beside `"kty"`. */
const jwkRule: SecretRule = {
  label: "private_jwk",
  rank: 2,
  literals: ['"d"', '"k"'],
  judge(text: string, at: number): FoundSecret | undefined {
    jwkMember.lastIndex = at;
    const match = jwkMember.exec(text);
    const value = match?.[1];
    if (!match || value === undefined || !isLikelyRandom(value)) return undefined;
    const end = at + match[0].length - 1;
    if (!text.slice(Math.max(0, at - 2048), end + 2048).includes('"kty"')) return undefined;
    return { label: "private_jwk", rank: 2, start: end - value.length, end };
  },
};

const wordpress = /(?:AUTH|LOGGED_IN|NONCE)_(?:KEY|SALT)["'],\s{0,40}["']([^"'\r\n]{40,100})/;
const functionsKey = /unctions-[Kk]ey["']?\s{0,3}[:=,]\s{0,3}["']?([A-Za-z0-9_-]{30,80}={0,2})/;

export const configFileRules: readonly SecretRule[] = [
  lineRule(
    "wordpress_key",
    ["AUTH_KEY", "AUTH_SALT", "LOGGED_IN_KEY", "LOGGED_IN_SALT", "NONCE_KEY", "NONCE_SALT"],
    wordpress,
    (value) => letterShape(value).distinct >= 16,
    // Its characters include those of every kind of placeholder.
    (value) => value.includes("unique phrase"),
  ),
  lineRule("azure_functions_key", ["unctions-key", "unctions-Key"], functionsKey, (value) => isLikelyRandom(value)),
  lineRule(
    "netrc_password",
    ["machine "],
    netrc,
    (value) => isStrong(value),
    (value) => isPlaceholder(value),
  ),
  // The end of a sentence is not a sign in a password.
  lineRule("netrc_password", ["login "], login, (value) => isStrong(value.replace(/[.,;:)]+$/, ""))),
  lineRule("npm_auth", [":_auth", ":_password"], npmrc, () => true),
  lineRule(
    "npm_auth",
    ["_auth", "_password="],
    bareNpmrc,
    (value, _, { fileName }) => fileName.endsWith("npmrc") || isEncodedLogin(value),
  ),
  lineRule(
    "docker_auth",
    ['"auth"'],
    docker,
    (value, _, { fileName, code }) =>
      isEncodedLogin(value, code) || (/dockercfg|^config\.json$/.test(fileName) && holdsLogin(value)),
  ),
  lineRule(
    "cli_password",
    ["-u ", "--user", "--proxy-user"],
    curlUser,
    (value, _, { code }) =>
      isStrong(value) && (isLikelyRandom(value, 8) || (!code && value.length >= 8 && /\d{2}/.test(value))),
  ),
  lineRule("cli_password", ["mysql", "mariadb"], mysqlPassword, (value) => isStrong(value) && isLikelyRandom(value, 6)),
  lineRule(
    "cli_password",
    ["sshpass", "docker login", "podman login", "az login", "redis-cli"],
    shortPassword,
    isStrong,
  ),
  lineRule("sql_password", ["dentified ", "DENTIFIED "], sqlPassword, isStrong),
  lineRule(
    "sql_password",
    ["PASSWORD '", "password '"],
    rolePassword,
    (value) => isStrong(value) && isLikelyRandom(value, 8),
  ),
  lineRule(
    "config_password",
    ["bindpw", "requirepass", "masterauth", "rootpw", "rocommunity", "rwcommunity"],
    directive,
    isStrong,
  ),
  lineRule(
    "login_key",
    loginPrograms.flatMap((name) => [`${name} login `, `${name} auth login `]),
    loginKey,
    (value) => isLikelyRandom(value, 24),
  ),
  lineRule("cli_password", ["htpasswd "], htpasswd, isStrong),
  lineRule("cli_secret", ["secret set ", "secrets set "], setSecret, isStrong),
  lineRule("wifi_key", ["psk=", "psk ="], wifiKey, (value) => isStrong(value) && !/^[0-9.]+$/.test(value)),
  lineRule("vault_unseal_key", ["nseal Key "], unsealKey, (value) => isLikelyRandom(value)),
  lineRule(
    "call_password",
    ["auth=(", "auth = (", "BasicAuth(", "basic_auth(", ".login(", ".Login(", "Credential(", "Credentials("],
    givenLogin,
    (value, match, { code }) =>
      isStrong(value) && (!code || !match[0].startsWith(".") || isLikelyRandom(value, 12) || isMixedPassword(value)),
  ),
  lineRule(
    "call_password",
    ["getConnection(", "createConnection(", "mysqli_connect(", "mysqli(", "PDO("],
    givenConnection,
    isStrong,
  ),
  lineRule("call_password", ["SecureString "], secureString, isStrong),
  lineRule(
    "pgpass_password",
    [":5432:", ":5433:", ":6432:"],
    pgpass,
    (value, _, { fileName }) => fileName.includes("pgpass") || isStrong(value),
    (value) => isPlaceholder(value) || /^pass(?:word|wd)?$/i.test(value),
  ),
  lineRule("pgpass_password", [":*:"], pgpassAny, (_, __, { fileName }) => fileName.includes("pgpass")),
  lineRule("password_hash", [":$a", ":$2", ":$1", ":$5", ":$6", ":$y"], hashedPassword, (_, __, { fileName }) =>
    /htpasswd|shadow|passwd/.test(fileName),
  ),
  lineRule("seed_phrase", ["nemonic", "NEMONIC", "phrase", "PHRASE"], mnemonic, () => true),
  jwkRule,
  connectionRule,
  lineRule(
    "cli_password",
    ["psexec", "PsExec", "PSEXEC", "psExec"],
    psexec,
    () => true,
    () => false,
  ),
  lineRule("cli_password", ["net use "], netUse, isStrong),
  lineRule("cli_password", ["net user "], netUser, isStrong),
  lineRule("cli_password", ["cmdkey "], cmdkey, isStrong),
  lineRule("sql_password", ["PASSWORD('"], setPassword, isStrong),
  lineRule("url_credentials", ["jdbc:oracle:"], oracleLogin, isStrong),
  lineRule("cli_key", ["-u ", "--user "], keyAsUser, (value) => isLikelyRandom(value, 20)),
  lineRule("sonar_token", ["sonar"], sonarLogin, (value) => isLikelyRandom(value)),
  lineRule("jenkins_crumb", ["Jenkins-Crumb"], jenkinsCrumb, (value) => isLikelyRandom(value)),
  lineRule("call_password", ["NetworkCredential("], networkCredential, (value) => value.length >= 6),
  lineRule("codeclimate_reporter", ["CC_TEST_REPORTER_ID"], codeclimate, (value) => isLikelyRandom(value)),
  lineRule("filezilla_password", ['<Pass encoding="base64">'], filezilla, () => true),
];
