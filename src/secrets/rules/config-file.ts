// Credentials in the shapes of well-known files: .netrc, .npmrc, .pgpass, Docker's config.json; and on command lines.
import { isEverydayWord, isStandIn } from "../placeholder.ts";
import { looksRandom, shapeOf } from "../randomness.ts";
import type { Found, Rule, ScanContext } from "../rule.ts";
import { isPair } from "./header.ts";

const lineRule = (
  label: string,
  literals: readonly string[],
  pattern: RegExp,
  isReal: (value: string, match: RegExpExecArray, context: ScanContext) => boolean,
): Rule => {
  const sticky = new RegExp(pattern.source, "y");
  const judge = (text: string, at: number, context: ScanContext): Found | undefined => {
    sticky.lastIndex = at;
    const match = sticky.exec(text);
    const value = match?.[1];
    if (!match || value === undefined || isEverydayWord(value) || !isReal(value, match, context))
      return undefined;
    const end = at + match[0].length;
    return { label, rank: 2, start: end - value.length, end };
  };
  return { label, rank: 2, literals, judge };
};

const isStrong = (value: string): boolean => {
  const { lower, upper, digits, symbols } = shapeOf(value);
  return value.length >= 6 && [lower, upper, digits, symbols].filter((count) => count > 0).length >= 2;
};

const netrc =
  /machine\s+\S{1,200}\s+(?:login\s+\S{1,200}\s+)?(?:account\s+\S{1,100}\s+)?password\s+(\S{4,300})/;
const npmrc = /:_(?:authToken|auth|password)\s{0,3}=\s{0,3}["']?([A-Za-z0-9+/=_.-]{8,2048})/;
const bareNpmrc = /_(?:authToken|auth|password)\s{0,3}=\s{0,3}["']?([A-Za-z0-9+/=_.-]{16,2048})/;
const docker = /"auth"\s{0,4}:\s{0,4}"([A-Za-z0-9+/]{8,1024}={0,2})/;
const curlUser = /(?:-u|--user|--proxy-user)[ =]{1,3}["']?[A-Za-z0-9._@+-]{1,100}:([^\s"'$<>{}]{4,200})/;
const mysqlPassword =
  /(?:mysql|mysqldump|mysqladmin|mariadb)\b[^\r\n|;&]{0,200}?\s-p["']?([^\s"'$<>{}-][^\s"'$<>{}]{5,200})/;
const shortPassword =
  /(?:sshpass|docker login|podman login|az login|htpasswd|redis-cli|7z)\b[^\r\n|;&]{0,200}?\s-(?:pw|[pab])\s{0,2}["']?([^\s"'$<>{}-][^\s"'$<>{}]{5,200})/;
const pgpass = /:\d{2,5}:[^\s:]{1,80}:[^\s:]{1,80}:([^\s:]{6,200})/;

export const configFileRules: readonly Rule[] = [
  lineRule("netrc_password", ["machine "], netrc, (value) => !isStandIn(value)),
  lineRule("npm_auth", [":_auth", ":_password"], npmrc, () => true),
  lineRule(
    "npm_auth",
    ["_auth", "_password="],
    bareNpmrc,
    (value, _, { fileName }) => fileName.endsWith("npmrc") || isPair(value),
  ),
  lineRule("docker_auth", ['"auth"'], docker, isPair),
  lineRule(
    "cli_password",
    ["-u", "--user", "--proxy-user"],
    curlUser,
    (value) => isStrong(value) && looksRandom(value, 8),
  ),
  lineRule(
    "cli_password",
    ["mysql", "mariadb"],
    mysqlPassword,
    (value) => isStrong(value) && looksRandom(value, 6),
  ),
  lineRule(
    "cli_password",
    ["sshpass", "docker login", "podman login", "az login", "redis-cli"],
    shortPassword,
    isStrong,
  ),
  lineRule("pgpass_password", [":5432:", ":5433:", ":6432:"], pgpass, isStrong),
];
