// A rule says where to look (literals) and how to judge one place. A judgement reads a bounded neighbourhood of
// the place only, so that the same finding is made whatever else surrounds it and wherever a stream is cut.
import type { Span } from "../contract/index.ts";

/** How sure the kind is. When findings overlap, the lowest rank names the whole. */
type Rank = 1 | 2 | 3;

/** Knowledge about the text besides its characters. */
export interface ScanContext {
  /** The last part of the file's name in lower case, or "". */
  readonly fileName: string;
  /** Values stand without quotes there: environment, ini, properties and YAML files. */
  readonly plainValues?: boolean;
}

export interface FoundSecret extends Span {
  readonly label: string;
  readonly rank: Rank;
}

export interface SecretRule {
  readonly label: string;
  readonly rank: Rank;
  readonly literals: readonly string[];
  /** Judges the place `at`, where one of the literals starts. */
  readonly judge: (
    text: string,
    at: number,
    context: ScanContext,
  ) => FoundSecret | readonly FoundSecret[] | undefined;
}

/** No finding but a private key is longer than this, and no judgement looks further. */
export const reach = 16_384;

const plainNames = /^\.env|\.(?:env|ini|cfg|conf|config|properties|ya?ml|toml|tfvars)$|^credentials$/;

export function secretContext(file: string | undefined): ScanContext {
  const fileName = (file ?? "").split(/[/\\]/).at(-1)?.toLowerCase() ?? "";
  return { fileName, plainValues: plainNames.test(fileName) };
}
