// A run as one file: the same page, read only, with the record inside it. It reaches for nothing outside itself, and its
// own policy lets it run no other script than the one it was written with.
import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { fail } from "../../core/contract/index.ts";
import { readPageFiles } from "./files.ts";

const hashed = (text: string): string => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

/** Inside a script element nothing may look like its end. */
const inScript = (text: string): string => text.replaceAll("<", String.raw`\u003c`);

function documentOf(record: object): string {
  const files = readPageFiles();
  const text = (path: string): string => files.get(path)?.bytes.toString("utf8") ?? "";
  const [style, script] = [text("/page.css"), text("/page.js").replaceAll("</", String.raw`<\/`)];
  const policy = `default-src 'none'; script-src ${hashed(script)}; style-src ${hashed(style)}; img-src data:; base-uri 'none'; form-action 'none'`;
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark">
<title>thehood</title><style>${style}</style></head>
<body><div id="page"></div><script type="application/json" id="record">${inScript(JSON.stringify(record))}</script>
<script type="module">${script}</script></body></html>
`;
}

export function savePage(
  file: string,
  record: object,
  cwd: string,
): { readonly file: string; readonly bytes: number } {
  const path = resolve(cwd, file);
  const html = documentOf(record);
  try {
    writeFileSync(path, html, { mode: 0o600 });
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return fail("invalid_input", `The page cannot be written: ${why}.`, {
      remedy: "Name a file that can be written.",
    });
  }
  return { file: path, bytes: Buffer.byteLength(html) };
}
