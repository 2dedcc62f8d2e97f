// The verdict about a patch: from its names, its sections, the options and, where there is one, the tree it is for.
import type { BinaryTools, PatchVerdict } from "../../contract/index.ts";
import { applyBinary, mostBinary, unpack } from "../binary/binary.ts";
import { byteString } from "../bytes.ts";
import type { Patch, Section, TreeReader } from "../model.ts";
import type { PatchOptions } from "../options.ts";
import { patchLimits, readText, type PatchReading } from "../read/read.ts";
import type { PatchReason } from "../reasons.ts";
import { judgeCollisions, judgeDoubles } from "./collisions.ts";
import { judgeContent, judgeModes, judgeSecrets, type CountSecrets } from "./content.ts";
import { isApproved, Findings } from "./finding.ts";
import { pathMessage, pathReason } from "./paths.ts";
import { judgePaths, judgeProtection } from "./policy.ts";
import { judgeTree } from "./tree.ts";

const limits = { bytes: 10_000_000, ...patchLimits } as const;

const hunksOf = ({ body }: Section): number => (body.kind === "hunks" ? body.hunks.length : 0);

function judgeNames({ names }: PatchReading, options: PatchOptions, findings: Findings): void {
  // A section names its file up to six times.
  const distinct = new Map(names.filter(({ agrees }) => agrees).map(({ name }) => [name.bytes, name]));
  for (const name of distinct.values()) {
    const reason = pathReason(name);
    if (reason) findings.add(reason, pathMessage(reason, name.path), name.path);
  }
  judgePaths(new Set([...distinct.values()].map(({ path }) => path)), options, findings);
}

function judgeData(section: Section, path: string, tools: BinaryTools, findings: Findings): void {
  if (section.body.kind !== "binary") return;
  const { forward, reverse } = section.body;
  if (Math.max(forward.size, reverse?.size ?? 0) > mostBinary)
    findings.add("too_large", `${path} is larger than ${mostBinary} bytes`, path);
  else if (!unpack(forward, tools) || (reverse && !unpack(reverse, tools)))
    findings.add("patch_malformed", `The binary data of ${path} is damaged`, path);
  else if (section.change === "create" && !applyBinary(new Uint8Array(), section, tools)) {
    findings.add("patch_malformed", `The binary data of ${path} is not what its id says`, path);
  }
}

function judgeBinary(section: Section, options: PatchOptions, findings: Findings): void {
  const path = section.newPath ?? section.oldPath ?? "";
  if (section.body.kind === "binary-notice")
    findings.add("binary_not_allowed", `${path} is binary, and the patch does not hold its data`, path);
  else if (section.body.kind === "binary" && options.binary) judgeData(section, path, options.binary, findings);
  else if (section.body.kind === "binary")
    findings.add("binary_not_allowed", `${path} is binary, and binary patches were not allowed`, path);
}

/** CRLF in the headers is right only for files that have it, which needs a tree to find out. */
function judgeLineEnds({ patch }: PatchReading, tree: TreeReader | undefined, findings: Findings): void {
  if (patch.eol === "\n") return;
  const known = (section: Section) => tree && section.change === "modify" && section.body.kind === "hunks";
  if (patch.sections.every(known)) return;
  findings.add("line_ending_mismatch", "The whole patch has CRLF line ends, and its files may not");
}

function judgeReading(reading: PatchReading, options: PatchOptions, tree: TreeReader | undefined): Findings {
  const findings = new Findings();
  const { sections } = reading.patch;
  for (const { reason, message, path } of reading.problems) findings.add(reason, message, path);
  judgeNames(reading, options, findings);
  for (const section of sections) {
    judgeModes(section, findings);
    judgeContent(section, findings);
    judgeBinary(section, options, findings);
  }
  if (options.requireNumericHunk && !sections.some((section) => hunksOf(section) > 0)) {
    findings.add("no_numeric_hunk", "No section has a hunk with line numbers");
  }
  judgeLineEnds(reading, tree, findings);
  judgeProtection(sections, options, findings);
  // A patch with a path that is too long is refused: comparing such paths would only cost time.
  if (findings.list.some(({ reason }) => reason === "path_too_long")) return findings;
  judgeDoubles(sections, findings);
  judgeCollisions(sections, tree, findings);
  if (tree && stateOnly(findings)) judgeTree(sections, tree, options.binary, findings);
  return findings;
}

/** Reasons to refuse for which the tree may give a better explanation: with these alone the tree is judged too. */
const explained: ReadonlySet<PatchReason> = new Set([
  "symlink_change",
  "symlink_create",
  "duplicate_path",
  "unicode_collision",
  "casefold_collision",
]);
const stateOnly = (findings: Findings): boolean =>
  findings.list.every(({ verdict, reason }) => verdict !== "reject" || explained.has(reason));

/** The verdict, and the patch where it could be read. */
export interface PatchAssessment extends PatchVerdict {
  readonly reason: PatchReason;
  readonly patch: Patch | null;
}

/**
 * Judges a patch; every program uses this function. Without a tree only the text of the patch is judged. Without
 * `countSecrets` secrets are not searched.
 */
export function judgePatch(
  input: Uint8Array | string,
  options: PatchOptions = {},
  tree?: TreeReader,
  countSecrets?: CountSecrets,
): PatchAssessment {
  const { maxBytes = limits.bytes, maxFiles = limits.files, maxHunks = limits.hunks } = options;
  if (input.length > maxBytes) {
    const finding = {
      reason: "too_large",
      verdict: "reject",
      message: `The patch is longer than ${maxBytes} bytes`,
    } as const;
    return { ...finding, paths: [], findings: [finding], patch: null };
  }
  const reading = readText(byteString(input), { files: maxFiles, hunks: maxHunks });
  const findings = judgeReading(reading, options, tree);
  if (countSecrets && !findings.list.some(({ verdict }) => verdict === "reject"))
    judgeSecrets(reading.patch.sections, countSecrets, findings);
  const ranked = findings.ranked();
  // The first finding that was not approved decides.
  const open = ranked.find((finding) => !isApproved(finding, options));
  const worst = open ?? ranked[0];
  const paths = [...new Set(reading.names.map(({ name }) => name.path))].sort();
  return {
    verdict: open?.verdict ?? "accept",
    reason: worst?.reason ?? "ok",
    message: worst?.message ?? "The patch may be applied",
    paths,
    findings: ranked,
    patch: reading.problems.length === 0 ? reading.patch : null,
  };
}
