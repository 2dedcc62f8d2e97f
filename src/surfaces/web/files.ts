// The files of the page from the build, the headers of each answer, and a run saved as one file: the same page, read only, with
// the record inside. Its own policy allows no other script and no connection.
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { extname, join, resolve } from "node:path";
import { installedFile } from "../../platform/system/index.ts";
import { createHash } from "node:crypto";
import { fail } from "../../core/contract/index.ts";

export interface PageFile {
  readonly bytes: Buffer;
  readonly type: string;
}

const types: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
};

/** The files by their path in an address: `/` is the page. */
export function readPageFiles(): ReadonlyMap<string, PageFile> {
  const folder = installedFile("web");
  return new Map(
    readdirSync(folder).flatMap((name) => {
      const type = types[extname(name)];
      const path = name === "index.html" ? "/" : `/${name}`;
      return type ? [[path, { bytes: readFileSync(join(folder, name)), type }] as const] : [];
    }),
  );
}

const contentPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "form-action 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join("; ");

/** The page runs only its own script, connects only to its own server, and is shown in no frame. */
export const closed: Readonly<Record<string, string>> = {
  "Content-Security-Policy": contentPolicy,
  "X-Content-Type-Options": "nosniff",
  "X-Frame-Options": "DENY",
  "Referrer-Policy": "no-referrer",
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Resource-Policy": "same-origin",
  "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
  "Cache-Control": "no-store",
};

const hashed = (text: string): string => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

/** Escapes text in a script element, so it cannot end the element. */
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

export function savePage(file: string, record: object, cwd: string): { readonly file: string; readonly bytes: number } {
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
