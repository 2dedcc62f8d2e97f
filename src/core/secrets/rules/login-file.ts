// Files whose grammar says where the login is: found by the name of the file, so a password counts there however weak it is.
import { isNamedPlaceholder } from "../placeholder.ts";
import type { FoundSecret, ScanContext } from "../rule.ts";

interface LoginFile {
  readonly files: RegExp;
  /** With the flag `g`; the first group is the secret. */
  readonly pattern: RegExp;
  /** The text must have this somewhere. */
  readonly needs?: RegExp;
}

const rows: readonly LoginFile[] = [
  { files: /netrc$/, pattern: /\bpassword\s{1,20}["']?([^\s"'#]{3,200})/g },
  // `name:hash:…` of a web server, an FTP server or the system
  {
    files: /passwd(?:-|\.\w{1,8})?$|^g?shadow(?:[-.]\w{0,8})?$/,
    pattern:
      /^[^:\s#]{1,80}:(\{S?SHA\d{0,3}\}[A-Za-z0-9+/=]{24,140}|[A-Za-z0-9./]{13}(?=:|\s|$)|[$_][A-Za-z0-9./$=,+_-]{12,200})/gm,
  },
  { files: /^smbpasswd$/, pattern: /^[^:\s]{1,80}:\d{1,10}:[0-9A-FX]{32}:([0-9A-F]{32}):/gim },
  {
    files: /(?:esmtp|msmtp|fetchmail|mbsync|isync|getmail|offlineimap|wget|mutt|mail)(?:rc|\.conf)?$/,
    pattern:
      /\b(?:http_|ftp_|proxy_|imap_|smtp_|remote)?pass(?:word|wd)?\b[ \t]{0,8}=?[ \t]{0,8}["']?([^\s"'#;=]{3,200})/gi,
  },
  { files: /^sasl_passwd$/, pattern: /^\S{1,200}[ \t]{1,20}[^\s:]{1,100}:(\S{3,200})/gm },
  {
    files: /^\.?curlrc$/,
    pattern: /^[ \t]{0,8}-{0,2}(?:proxy-)?u(?:ser)?[ \t=:]{1,8}["']?[^\s:"']{1,100}:([^\s"']{3,200})/gm,
  },
  { files: /^filezilla.*\.xml$/, pattern: /Server Pass" type="string">([^<]{3,200})</g },
  {
    files: /^auth\.json$/,
    pattern:
      /"(?:github-oauth|gitlab-token|gitlab-oauth|bearer)"\s{0,9}:\s{0,9}\{\s{0,99}"[^"]{1,99}"\s{0,9}:\s{0,9}"([^"\s]{12,300})"/g,
  },
  { files: /^credentials(?:\.toml)?$/, pattern: /^[ \t]{0,8}token[ \t]{0,8}=[ \t]{0,8}"([^"\s]{8,300})"/gm },
  {
    files: /history$/,
    pattern: /\b(?:mysql|mariadb)\w{0,8}\b[^\r\n|;&]{0,200}?[ \t]-p["']?([^\s"'$`<>{}-][^\s"'$`]{3,200})/g,
  },
  {
    files: /^(?:settings|settings-security)\.xml$/,
    pattern: /<(?:master|password|passphrase)>\{([A-Za-z0-9+/=]{20,300})\}</g,
  },
  { files: /^(?:auto)?unattend\.xml$|^sysprep\.xml$/, pattern: /Password>\s{0,40}<Value>([^<\s]{3,200})<\/Value>/g },
  { files: /\.xml$/, pattern: /<\w{0,40}pass(?:word|wd)?>\s{0,40}<!\[CDATA\[([^\]\s]{3,200})\]\]>/gi },
  {
    files: /^ipsec\.secrets$|^strongswan\.secrets$/,
    pattern: /:[ \t]{0,8}(?:PSK|EAP|XAUTH|NTLM)[ \t]{1,8}"([^"\n]{3,200})"/g,
  },
  {
    files: /^(?:chap|pap)-secrets$/,
    pattern: /^[^\s#]{1,100}[ \t]{1,20}[^\s]{1,100}[ \t]{1,20}["']?([^\s"'#]{3,200})/gm,
  },
  {
    files: /(?:ldap|pam_ldap|nslcd|redis|sentinel|snmpd|mongod)\.conf$/,
    pattern:
      /^[ \t]{0,8}(?:bindpw|rootbindpw|rootpw|requirepass|masterauth|r[ow]community)[ \t]{1,20}["']?([^\s"'#]{3,200})/gm,
  },
  // A login that Subversion keeps: the length of each name and value stands before it.
  { files: /^[0-9a-f]{32}$|^auth$/, pattern: /^K 8\r?\npass(?:word|type)\r?\nV \d{1,3}\r?\n([^\r\n]{3,200})/gm },
  {
    files: /^\.?mongorc\.js$/,
    pattern: /\.auth\(\s{0,9}["'][^"'\n]{1,99}["']\s{0,9},\s{0,9}["']([^"'\n]{3,200})["']/g,
  },
  { files: /\.sql$/, pattern: /'(\*[0-9A-F]{40}|md5[0-9a-f]{32})'/g },
  {
    files: /\.sql$/,
    pattern: /'([0-9a-f]{32}|[0-9a-f]{40}|[0-9a-f]{64})'/g,
    needs: /insert\s{1,9}into\s{1,9}\S{0,40}(?:user|account|member|admin|auth|customer|login|passw)/i,
  },
];

const mostInFile = 2_000;
const noPassword = /^[$%{<([]|^(?:pass(?:word|wd)?|prompt|true|false|yes|no|none|null|nil|file|disk|[x*!]+)$/i;
const isHash = /^(?:\$[^\s{(]{8}|\{S)/;

export function judgeLoginFile(text: string, { fileName }: ScanContext): FoundSecret[] {
  if (fileName === "") return [];
  const found: FoundSecret[] = [];
  for (const { files, pattern, needs } of rows) {
    if (!files.test(fileName) || (needs && !needs.test(text))) continue;
    for (const match of text.matchAll(pattern)) {
      const value = match[1] ?? "";
      if (!isHash.test(value) && (noPassword.test(value) || isNamedPlaceholder(value))) continue;
      const start = match.index + match[0].lastIndexOf(value);
      found.push({ label: "login_file", rank: 2, start, end: start + value.length });
      if (found.length >= mostInFile) return found;
    }
  }
  return found;
}
