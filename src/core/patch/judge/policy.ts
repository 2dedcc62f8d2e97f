// The user's policy for paths: a prefix, allowed and forbidden globs, protected kinds.
import { globMatches, type ProtectedEffect, protectedEffects } from "../../contract/index.ts";
import { classifyPath } from "../classify/classify.ts";
import type { Section } from "../model.ts";
import type { PatchOptions } from "../options.ts";
import { effectOf } from "./effect.ts";
import type { Findings } from "./finding.ts";

/** T-16, by segments: `src` covers `src/a`, not `src-evil/a`. An empty prefix covers nothing: it is a mistake of the caller. */
export function underPrefix(path: string, prefix: string): boolean {
  const wanted = prefix
    .replaceAll("\\", "/")
    .split("/")
    .filter((segment) => segment !== "");
  const named = wanted.filter((segment) => segment !== ".");
  const actual = path.split("/");
  return wanted.length > 0 && named.every((segment, index) => actual[index] === segment);
}

export function judgePaths(paths: Iterable<string>, options: PatchOptions, findings: Findings): void {
  const { restrictPathPrefix: prefix, allowedPaths, disallowedPaths = [] } = options;
  for (const path of paths) {
    if (prefix !== undefined && !underPrefix(path, prefix)) {
      findings.add("outside_prefix", `${path} is outside ${prefix}`, path);
    }
    if (allowedPaths && !allowedPaths.some((glob) => globMatches(glob, path, { anchored: true }))) {
      findings.add("path_not_allowed", `${path} is not among the allowed paths`, path);
    }
    if (disallowedPaths.some((glob) => globMatches(glob, path, { ignoreCase: true }))) {
      findings.add("path_not_allowed", `${path} is among the forbidden paths`, path);
    }
  }
}

export function judgeProtection(sections: readonly Section[], options: PatchOptions, findings: Findings): void {
  const kept: { effect: ProtectedEffect; message: string; path: string }[] = [];
  for (const section of sections) {
    const { oldPath, newPath, change } = section;
    for (const path of new Set([change === "copy" ? null : oldPath, newPath])) {
      if (path === null) continue;
      const { executes, protected: guarded, kinds } = classifyPath(path, options.protectedGlobs);
      const what = kinds.join(", ");
      if (options.runAfterwards?.includes(path))
        findings.add(
          "exec_config",
          `${path} is run as soon as the patch is in the tree, or is named by a program that is`,
          path,
        );
      if (executes) findings.add("exec_config", `${path} makes programs run, or steers an agent (${what})`, path);
      else if (guarded && !options.productPaths?.includes(path)) {
        const { effect, note } = effectOf(section, path, kinds, sections);
        const message = `${path} is protected (${what})${note === "" ? "" : `: ${note}`}`;
        kept.push({ effect, message, path });
      }
    }
  }
  // What can weaken the checks comes first: of several findings the first one is the message.
  for (const { effect, message, path } of kept.toSorted((a, b) => rankOf(a.effect) - rankOf(b.effect)))
    findings.add("protected_path", message, path, effect);
}

const rankOf = (effect: ProtectedEffect) => protectedEffects.indexOf(effect);
