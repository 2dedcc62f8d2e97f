// A dry run for a person: what would go where, and what each file costs.
import { plainText } from "../../core/contract/index.ts";
import { dollars } from "../../core/contract/index.ts";
import type { Preview } from "../../core/contract/transport/index.ts";
import type { Io } from "../argv/index.ts";

const shownExclusions = 20;
const cost = (usd: number | null) => (usd === null ? "" : `, ${dollars(usd)} before the answer`);

export function printPreview(io: Io, preview: Preview, files: boolean): void {
  const { bundle, tokens } = preview;
  const lines = [
    `Engine: ${preview.engine} (${preview.model})`,
    `Target: ${preview.target}`,
    `Prompt: ${preview.promptChars} characters`,
    `Bundle format: ${bundle.format}`,
    `Files: ${bundle.fileCount}`,
    `Uncompressed bytes: ${bundle.uncompressedBytes}`,
    ...(bundle.plannedPath === null ? [] : [`Planned temporary ZIP: ${bundle.plannedPath}`]),
    `Tokens: ${tokens.exact ? "" : "about "}${tokens.count} of ${tokens.budget}${cost(tokens.inputUsd)}`,
    ...preview.attachments.map(
      ({ name, bytes, mediaType }) => `Attached: ${name} (${mediaType}, ${bytes} bytes)`,
    ),
    `Secrets: ${preview.secretScan.matches.join(", ") || "none found"}`,
  ];
  io.out(`${lines.map(plainText).join("\n")}\n`);
  if (bundle.excluded.length > 0) printExcluded(io, bundle.excluded);
  if (files) printFiles(io.out, preview);
  if (bundle.plannedPath !== null) io.out(`Manifest: ${JSON.stringify(bundle.manifest, null, 2)}\n`);
  for (const warning of preview.warnings) io.err(`warning: ${plainText(warning)}\n`);
  io.out("Nothing was sent.\n");
}

function printExcluded(io: Io, excluded: Preview["bundle"]["excluded"]): void {
  io.out(`Left out: ${excluded.length}\n`);
  for (const { path, reason } of excluded.slice(0, shownExclusions))
    io.out(`  ${plainText(path)} (${reason})\n`);
  if (excluded.length > shownExclusions) io.out(`  … and ${excluded.length - shownExclusions} more\n`);
}

function printFiles(write: (text: string) => void, preview: Preview): void {
  const rows = [...preview.bundle.files].sort((a, b) => b.tokens - a.tokens);
  for (const { path, tokens, bytes } of rows)
    write(`${String(tokens).padStart(9)} tokens ${String(bytes).padStart(10)} bytes  ${plainText(path)}\n`);
}
