// Files that hold credentials by their name, at any depth; models and tools never read them.
import { secretFiles } from "../../core/contract/index.ts";

const sure = secretFiles.filter(({ guess }) => guess === undefined);

const exact = new Set(
  `
    .envrc .npmrc .yarnrc .pypirc .netrc _netrc .pgpass .my.cnf .htpasswd .git-credentials .dockercfg .boto
    .s3cfg .vault-token .terraformrc terraform.rc credentials credentials.json credentials.csv
    credentials.toml credentials.tfrc.json application_default_credentials.json client_secret.json
    secrets.json secrets.yml secrets.yaml secrets.toml secrets.env master.key kubeconfig wallet.dat shadow
  `
    .trim()
    .split(/\s+/),
);

const patterns: readonly RegExp[] = [
  /^id_(rsa|dsa|ecdsa|ed25519)(_sk)?$/,
  /^(.*[-_.])?service[-_]?account([-_.].*)?\.json$/,
  /^client_secret.*\.json$/,
  /\.(pem|key|p8|p12|pfx|pkcs12|jks|keystore|kdbx|ppk|asc|gpg|tfstate|tfvars)$/,
  /\.tfstate\.backup$/,
  /^.*\.agekey$/,
];

const folders = new Set([".ssh", ".gnupg", ".aws", ".azure", ".gcloud", ".kube", ".docker"]);
const examples = /(^|[._-])(example|sample|template|defaults?|schema)([._-]|$)|\.dist$/;
/** Public halves of keys, and code whose name ends like a secret. */
const harmless = /\.(pub|d\.ts|md)$/;

function isSecretName(segment: string): boolean {
  const name = segment.toLowerCase();
  if (examples.test(name) || harmless.test(name)) return false;
  if (name === ".env" || name.startsWith(".env.") || name.endsWith(".env")) return true;
  if (exact.has(name) || patterns.some((pattern) => pattern.test(name))) return true;
  return sure.some(({ path }) => path.test(name));
}

/** True when any folder of the path is a credential store or its last part is a credential file. */
export function isSecretPath(path: string): boolean {
  const segments = path.split("/");
  const last = segments.at(-1) ?? "";
  const name = last.toLowerCase();
  if (name.endsWith(".pub")) return false;
  if (segments.slice(0, -1).some((segment) => folders.has(segment.toLowerCase())) || isSecretName(last)) return true;
  return !examples.test(name) && !harmless.test(name) && sure.some((file) => file.path.test(path));
}
