// Makes the page: one script, one style sheet, one document, in dist/web. The page must stay small.
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { rolldown } from "rolldown";

/** All of it, packed as a server would send it. */
export const mostPageBytes = 40_000;

/** A style sheet without comments and needless space. */
const small = (css: string): string =>
  css
    .replaceAll(/\/\*[\s\S]*?\*\//g, "")
    .replaceAll(/\s+/g, " ")
    .replaceAll(/ ?([{};,>]) ?/g, "$1");

export async function bundleWeb(root: string, dist: string): Promise<string[]> {
  const [from, to] = [join(root, "src/surfaces/page"), join(dist, "web")];
  mkdirSync(to, { recursive: true });
  const made = await rolldown({
    cwd: root,
    input: "src/surfaces/page/main.tsx",
    platform: "browser",
    treeshake: true,
  });
  const { output } = await made.generate({ format: "esm", minify: true, comments: false });
  await made.close();
  writeFileSync(join(to, "page.js"), output[0].code);
  writeFileSync(join(to, "page.css"), small(readFileSync(join(from, "page.css"), "utf8")));
  copyFileSync(join(from, "index.html"), join(to, "index.html"));
  const bytes = ["page.js", "page.css", "index.html"].reduce(
    (sum, name) => sum + gzipSync(readFileSync(join(to, name))).length,
    0,
  );
  if (bytes > mostPageBytes) throw new Error(`The page has ${bytes} bytes packed; ${mostPageBytes} are allowed`);
  return output[0].moduleIds;
}
