// The notices of the packages whose code is in the bundle: their names, versions, licences and licence texts.
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";

export interface BundledPackage {
  readonly name: string;
  readonly version: string;
  readonly license: string;
  readonly text: string;
}

const packagePattern = /^(.*[/\\](?:node_modules|vendor)[/\\](?:@[^/\\]+[/\\])?[^/\\]+)[/\\]/;

/** The folder of the package that a module belongs to; undefined for our own. The bundler's helpers are the bundler's. */
function packageFolder(root: string, id: string): string | undefined {
  if (id.startsWith("\0rolldown/")) return join(root, "node_modules", "rolldown");
  return packagePattern.exec(id)?.[1];
}

function licenceText(folder: string): string {
  const files = readdirSync(folder).sort();
  const own = files.filter((file) => /^(?:licen[cs]e|copying|notice)/i.test(file));
  const text = own.map((file) => readFileSync(join(folder, file), "utf8").trim()).join("\n\n");
  return text || licenceInReadme(folder, files);
}

/** Some packages print their licence at the end of their README only. */
function licenceInReadme(folder: string, files: readonly string[]): string {
  const readme = files.find((file) => /^readme/i.test(file));
  const [, text = ""] = readme ? readFileSync(join(folder, readme), "utf8").split(/^#+\s*licen[cs]e.*$/im) : [];
  return /permission is hereby granted/i.test(text) ? text.trim() : "";
}

function readPackage(folder: string): BundledPackage {
  const about = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as Omit<BundledPackage, "text">;
  const { name, version, license } = about;
  const text = licenceText(folder);
  if (!license || !text) throw new Error(`${name} is bundled and has no licence or no licence text`);
  return { name, version, license, text };
}

/** The packages of these modules, each once, by name. Throws where one has no licence text. */
export function bundledPackages(root: string, modules: readonly string[]): BundledPackage[] {
  const folders = modules.flatMap((id) => packageFolder(root, id) ?? []);
  return [...new Set(folders)]
    .map(readPackage)
    .sort((a, b) => a.name.localeCompare(b.name, "en") || a.version.localeCompare(b.version, "en"));
}

export const headingOf = ({ name, version, license }: Omit<BundledPackage, "text">): string =>
  `${name} ${version} (${license})`;

export function noticesOf(packages: readonly BundledPackage[]): string {
  const line = "-".repeat(80);
  const entries = packages.map((one) => `${line}\n${headingOf(one)}\n${line}\n\n${one.text}\n`);
  const first =
    "TheHood contains code of the packages below. Each is used under its own licence, which follows its name.\n";
  return [first, ...entries].join("\n");
}
