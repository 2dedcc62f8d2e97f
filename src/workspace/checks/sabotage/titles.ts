// Which file a reported test is in, by the names that the file gives to its tests. Pure.
import { steady } from "../log/names.ts";
import { languageOf } from "./language.ts";

const quoted = /\b(?:test|it|specify)(?:\.\w+)*\s*\(\s*(?:"([^"\n]*)"|'([^'\n]*)'|`([^`]*)`)/g;
const named: Readonly<Record<string, RegExp>> = {
  python: /^[ \t]*(?:async[ \t]+)?def[ \t]+(test\w*)/gm,
  go: /^func[ \t]+(Test\w*)/gm,
  rust: /#\[(?:\w+::)*test\][^]{0,200}?\bfn\s+(\w+)/g,
};

/** Each title as the parts of it that do not change. */
function titlesIn(path: string, text: string): string[][] {
  const language = languageOf(path);
  if (language === "js")
    return [...text.matchAll(quoted)].map(([, double, single, ticks]) =>
      (double ?? single ?? (ticks ?? "").replaceAll(/\$\{[^}]*\}/g, "\n"))
        .split(/\n|%\w/)
        .map(steady)
        .filter((part) => part.trim() !== ""),
    );
  const pattern = language === null ? undefined : named[language];
  return pattern ? [...text.matchAll(pattern)].map((match) => [steady(match[1] ?? "")]) : [];
}

const baseOf = (path: string): string => steady(path.split("/").at(-1) ?? path);

/** Tells of a reported name whether it can be of this file. */
export function ownerOf(path: string, text: string): (name: string) => boolean {
  const titles = titlesIn(path, text).filter((parts) => parts.length > 0);
  const file = baseOf(path);
  const module = file.replace(/\.py$/, "");
  return (name) =>
    name.includes(file) ||
    (/\.(?:[cm]?[jt]sx?|py|rs)\b/.test(name) ? false : hasTitle(titles, name)) ||
    (path.endsWith(".py") && name.includes(`.${module}.`));
}

const hasTitle = (titles: readonly (readonly string[])[], name: string): boolean =>
  titles.some((parts) => parts.every((part) => name.includes(part)));
