// Which files a program that drives us may name: a model often steers it, so it gets no way around the judge of patches.
import { classifyPath } from "../core/patch/index.ts";

/** Why the file may not be named, by its path from the root; undefined when it may. */
export function refusedForHost(path: string, use: "read" | "write"): string | undefined {
  const segments = path.replaceAll("\\", "/").split("/");
  if (segments.some((segment) => segment.startsWith("."))) return "a hidden file, or one in a hidden folder";
  if (use === "read") return undefined;
  const { executes, protected: guarded, kinds } = classifyPath(segments.join("/"));
  return executes || guarded ? `a file that steers programs or checks (${kinds.join(", ")})` : undefined;
}
