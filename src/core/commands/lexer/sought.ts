// Which secret file a search through names is after: `ls -a | grep env`.

/** Files that a search through names is after, each with the part of its name that tells it. */
const sought: readonly (readonly [telling: string, file: string])[] = [
  [".envrc", ".env"],
  [".npmrc", ".npmrc"],
  [".netrc", ".netrc"],
  [".pgpass", ".pgpass"],
  ["id_rsa", "id_rsa"],
  ["id_ed25519", "id_ed25519"],
  ["credentials", "credentials.json"],
  ["secrets", "secrets.json"],
  ["passwords", "passwords.txt"],
  ["tokens", "tokens.json"],
  [".key", "server.key"],
  [".pem", "server.pem"],
  ["tfstate", "terraform.tfstate"],
  ["kubeconfig", "kubeconfig"],
];

/** A secret file that is among the names in which this pattern of `grep` is found. */
export function soughtBy(pattern: string): string | undefined {
  const wanted = pattern
    .toLowerCase()
    .split(/\\?\|/)
    .map((part) => part.replaceAll(/[\\^$*()]/g, ""));
  return sought.find(([telling]) => wanted.some((part) => part.length > 2 && telling.includes(part)))?.[1];
}
