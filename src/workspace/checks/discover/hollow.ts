// Checks that run no program which could judge anything.
import { type CheckSpec, isRecord } from "../../../core/contract/index.ts";
import { type TreeFiles, parseJsonFile } from "../tree.ts";

/** A script made of nothing but `true`, `:`, `exit 0`, `echo …`, joined by any separator, proves nothing. */
export function isHollow(script: string): boolean {
  const parts = script.split(/&&|\|\||;|\n/).map((part) => part.trim());
  return parts.every((part) => part === "" || /^(true|:|exit( \d+)?|echo\b[^|<>`$]*)$/.test(part));
}

/** Looks again at the script a check was found in, in the tree it is to judge. */
export async function isHollowCheck(tree: TreeFiles, spec: CheckSpec): Promise<boolean> {
  const [file, field] = spec.source.split("#");
  const name = field?.startsWith("scripts.") ? field.slice("scripts.".length) : undefined;
  if (file && spec.argv[0] === "make") return isHollowTarget((await tree.read(file)) ?? "", spec.argv[1] ?? "");
  if (!file || !name) return spec.argv[1] === "-c" && isHollow(spec.argv[2] ?? "");
  const manifest = parseJsonFile((await tree.read(file)) ?? "");
  const scripts = isRecord(manifest) && isRecord(manifest["scripts"]) ? manifest["scripts"] : {};
  return typeof scripts[name] === "string" && isHollow(scripts[name]);
}

/** A target of a Makefile that needs nothing and runs nothing that could judge. */
function isHollowTarget(makefile: string, target: string): boolean {
  const lines = makefile.replaceAll(/\\\r?\n/g, " ").split(/\r?\n/);
  const at = lines.findIndex((line) => line.startsWith(target) && /^\s*:(?![:=])/.test(line.slice(target.length)));
  if (at < 0) return false;
  const [needs = "", ...own] = (lines[at] ?? "").slice(target.length).replace(/^\s*:/, "").split(";");
  const rest = lines.slice(at + 1);
  const end = rest.findIndex((line) => !/^\t|^\s*(?:#.*)?$/.test(line));
  const recipe = [...own, ...(end < 0 ? rest : rest.slice(0, end))].map((line) => line.trim().replace(/^[@+-]+/, ""));
  return needs.trim() === "" && isHollow(recipe.filter((line) => !line.startsWith("#")).join("\n"));
}
