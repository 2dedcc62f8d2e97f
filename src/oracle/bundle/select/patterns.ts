// The caller's patterns below a root: files, folders, globs and exclusions.
import { isAbsolute, relative, sep } from "node:path";
import { compileGlob, fail, isGlob } from "../../../core/contract/index.ts";

export interface WantedPattern {
  /** As the caller wrote it. */
  readonly given: string;
  /** Below the root, with `/`; "" is the root itself; undefined leads out. */
  readonly path: string | undefined;
}

interface Patterns {
  readonly wanted: readonly WantedPattern[];
  readonly leavesOut: (path: string) => boolean;
}

export function readPatterns(root: string, patterns: readonly string[]): Patterns {
  const wanted = patterns
    .filter((pattern) => !pattern.startsWith("!"))
    .map((given) => ({ given, path: below(root, given) }));
  const tests = patterns
    .filter((pattern) => pattern.startsWith("!"))
    .map((pattern) => leaveOut(root, pattern.slice(1)));
  return { wanted, leavesOut: (path) => tests.some((test) => test(path)) };
}

/** The path below the root without `.` and `..`, or undefined when it leads out. */
function below(root: string, given: string): string | undefined {
  const path = isAbsolute(given) ? relative(root, given).split(sep).join("/") : given;
  if (isAbsolute(path)) return undefined;
  const segments: string[] = [];
  for (const segment of path.split("/")) {
    if (segment === "" || segment === ".") continue;
    if (segment !== "..") segments.push(segment);
    else if (segments.pop() === undefined) return undefined;
  }
  return segments.join("/");
}

export const compilePattern = (pattern: string): ((path: string) => boolean) =>
  compileGlob(pattern) ??
  fail("invalid_input", `The pattern ${pattern.slice(0, 80)} expands to too many patterns.`, {
    remedy: "Write it with fewer { }.",
  });

/** A path excludes itself and everything below it; a name without a slash does so at any depth. */
function leaveOut(root: string, given: string): (path: string) => boolean {
  const path = below(root, given) ?? given;
  const anywhere = !given.includes("/");
  const pattern = anywhere ? `**/${path}` : path;
  if (isGlob(path)) {
    const whole = compilePattern(pattern);
    const inside = compilePattern(`${pattern}/**`);
    return (candidate) => whole(candidate) || inside(candidate);
  }
  const inside = `${path}/`;
  if (!anywhere) return (candidate) => candidate === path || candidate.startsWith(inside);
  return (candidate) => `/${candidate}/`.includes(`/${inside}`);
}
