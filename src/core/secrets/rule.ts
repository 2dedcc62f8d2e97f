// What a rule for secrets is: literals that select offsets, and a function that judges one offset. The function reads a
// bounded part of the text around the offset, so the finding does not depend on the rest or on the chunks of a stream.
import type { SecretUse, Sha256, Span } from "../contract/index.ts";
import type { UserRules } from "./user-rules.ts";

/** How certain the kind is. When findings overlap, the lowest rank names the merged one. */
type Rank = 1 | 2 | 3;

/** Facts about the text besides its characters. */
export interface ScanContext {
  /** The last part of the file's name in lower case, or "". */
  readonly fileName: string;
  /** Values have no quotes: environment, ini, properties and YAML files. */
  readonly plainValues?: boolean;
  /** The file is made to hold logins: a weak password counts there. */
  readonly credentials?: boolean;
  /** Source code and documentation: a password of plain words is an example there, and a hash of one too. */
  readonly code?: boolean;
  /** Tests: only a value that looks generated counts. */
  readonly test?: boolean;
}

export interface FoundSecret extends Span {
  readonly label: string;
  readonly rank: Rank;
  /** A word that may only look like a password: it stops a transfer, and stays readable in print. */
  readonly onlyTransfer?: true;
  /** Useless without a passphrase that is elsewhere: it may leave the machine, and is not printed. */
  readonly onlyPrint?: true;
}

export interface SecretRule {
  readonly label: string;
  readonly rank: Rank;
  readonly literals: readonly string[];
  /** Judges the offset `at`, where one of the literals starts. */
  readonly judge: (text: string, at: number, context: ScanContext) => FoundSecret | readonly FoundSecret[] | undefined;
}

/** The longest finding except a private key, and how far a rule reads. */
export const reach = 16_384;

const plainNames = /^\.env|\.(?:env|ini|cfg|conf|config|properties|ya?ml|toml|tfvars)$|^credentials$/;

/** Files whose purpose includes logins: settings of editors, clients, servers, sites and databases. */
const credentialNames =
  /netrc|pgpass|(?:esmtp|msmtp|mail|mutt|fetchmail|pypi)rc$|s3cfg$|boto$|dockercfg|robo(?:mongo|3t)\.json$|(?:accounts|credentials|tomcat-users)\.xml$|^settings(?:-security)?\.xml$|tfstate$|^(?:hosts|inventory|hub)$|(?:recentservers|sitemanager|filezilla|webservers|datasources(?:\.local)?)\.xml$|condarc$|mongorc\.js$|s?ftp[-_.]?(?:config)?\.json$|ftpconfig|remote-sync\.json$|deployment-config\.json$|data-sources\.json$|(?:^|-)config\.php$|(?:settings|configuration|localsettings|parameters)\.php$|(?:database|secrets?|parameters)\.ya?ml$|\.(?:ini|cfg|conf|cnf|env|properties|tfvars)$|^\.env|^(?:config|credentials|\.git-credentials|\.my\.cnf|\.htpasswd)$|passwd$/;

const codeNames =
  /\.(?:[cm]?[jt]sx?|py|go|rs|rb|java|kts?|scala|swift|cc?|cpp|hh?|hpp|cs|exs?|erl|hs|mli?|clj|dart|lua|p[lm]|jl|zig|vue|svelte|mdx?|rst|adoc|html?)$/;
const testNames = /^(?:test_|conftest\.)|[._-](?:tests?|spec)\.[a-z]{1,4}$/;

export function secretContext(file: string | undefined): ScanContext {
  const fileName = (file ?? "").split(/[/\\]/).at(-1)?.toLowerCase() ?? "";
  const credentials = credentialNames.test(fileName);
  return {
    fileName,
    plainValues: plainNames.test(fileName),
    credentials,
    code: !credentials && codeNames.test(fileName),
    test: testNames.test(fileName) && codeNames.test(fileName),
  };
}

/** Findings whose value has one of these hashes are ignored. The hash function comes from the caller. */
interface Allowed {
  readonly sha256: Sha256;
  readonly hashes: ReadonlySet<string>;
}

export interface SecretOptions {
  readonly file?: string;
  /** By default `transfer`, the stricter one. */
  readonly use?: SecretUse;
  readonly rules?: UserRules;
  readonly allow?: Allowed;
}

export const marker = "***REDACTED***";

/**
 * A hostile line can have thousands of candidates inside one stretch of text, each of which reads the stretch again.
 * Inside a stretch that was read already, only the first candidates are judged.
 */
const mostInStretch = 16;

interface StretchLimit {
  /** Whether the candidate at this index is judged. */
  readonly admits: (at: number, context: ScanContext) => boolean;
  /** Records that the stretch up to `end` was read. */
  readonly read: (end: number, context: ScanContext) => void;
}

export function createStretchLimit(): StretchLimit {
  /** The context of the current scan: each scan has its own. */
  let scan: ScanContext | undefined;
  let readTo = 0;
  let inside = 0;
  return {
    admits(at, context) {
      if (scan !== context || at >= readTo) {
        inside = 0;
        return true;
      }
      inside += 1;
      return inside <= mostInStretch;
    },
    read(end, context) {
      readTo = scan === context ? Math.max(readTo, end) : end;
      scan = context;
    },
  };
}
