// The paths that an MCP client may name. A model often steers the client, so it reaches only the folders of the client,
// and its text goes into a work tree as a judged patch and in no other way.
import { fail } from "../../../core/contract/index.ts";
import type { Options } from "../../../core/contract/transport/index.ts";
import { classifyPath } from "../../../core/patch/index.ts";

/** A path as the file system knows it. */
export interface LocatedPath {
  /** Absolute, links followed, also where nothing exists yet. */
  readonly real: string;
  /** From the folder of the client that holds it; undefined outside of all of them. */
  readonly inRoot: string | undefined;
  /** The size of a file; 0 for a folder, a pipe or a device; undefined where nothing exists. */
  readonly found: { readonly isFile: boolean; readonly bytes: number } | undefined;
}

export interface HostPaths {
  /** Real paths of the folders of the client; relative paths start at the first. */
  readonly roots: readonly string[];
  locate(path: string, base: string): LocatedPath;
}

const outside = (name: string, path: string, { roots }: HostPaths): never =>
  fail("permission_denied", `${name}: ${path} is outside the folders that this client may use.`, {
    remedy: `Allowed: ${roots.join(", ")}`,
  });

/** The folder that relative paths of a call start from. */
export function baseFolder(paths: HostPaths, cwd = "."): string {
  const { real, inRoot } = paths.locate(cwd, paths.roots[0] ?? "");
  return inRoot === undefined ? outside("cwd", cwd, paths) : real;
}

const pathOptions = ["promptFile", "diffOutput", "jsonOutput", "metricsOutput", "writeOutput", "gitRoot"] as const;
type PathOption = (typeof pathOptions)[number];

const mostPromptBytes = 16 << 20;

/** Why the file may not be named; undefined when it may. A pipe, a device or a huge file would hold up every client. */
function refusal(name: PathOption, { inRoot = "", found }: LocatedPath): string | undefined {
  const segments = inRoot.replaceAll("\\", "/").split("/");
  if (segments.some((segment) => segment.startsWith("."))) return "a hidden file, or one in a hidden folder";
  if (name === "promptFile")
    return found === undefined || (found.isFile && found.bytes <= mostPromptBytes)
      ? undefined
      : "not a regular file of at most 16 MiB";
  const { executes, protected: guarded, kinds } = classifyPath(segments.join("/"));
  if (executes || guarded) return `a file that steers programs or checks (${kinds.join(", ")})`;
  return name === "writeOutput" && found !== undefined ? "a file that exists already" : undefined;
}

function confinedPath(name: PathOption, path: string, base: string, paths: HostPaths): string {
  const located = paths.locate(path, base);
  if (located.inRoot === undefined) return outside(name, path, paths);
  const why = name === "gitRoot" ? undefined : refusal(name, located);
  if (why === undefined) return located.real;
  return fail("permission_denied", `${name}: ${located.real} is ${why}.`, {
    remedy: "Name another file; a person can do it with the command line.",
  });
}

/** The selection of files follows no link out of its folder; this keeps it from starting elsewhere. */
function checkPattern(pattern: string, { roots }: HostPaths): void {
  const path = pattern.replace(/^!/, "").replaceAll("\\", "/");
  const isAbsolute = /^(?:\/|[a-z]:)/i.test(path);
  const isInside = roots.some((root) => path === root || path.startsWith(`${root}/`));
  if (path.split("/").includes("..") || (isAbsolute && !isInside))
    fail("permission_denied", `${pattern} leads out of the folders that this client may use.`, {
      remedy: `Allowed: ${roots.join(", ")}`,
    });
}

/** The options of a client with every path confined to its folders. */
export function confineOptions(options: Options, base: string, paths: HostPaths): Options {
  const confined: Options = { ...options };
  for (const name of pathOptions) {
    const path = options[name];
    if (path !== undefined) confined[name] = confinedPath(name, path, base, paths);
  }
  // Without gitRoot the repository around the folder is used, and that may begin above the folders of the client.
  if (options.applyMode !== undefined && options.applyMode !== "none") confined.gitRoot ??= base;
  for (const pattern of [...(options.file ?? []), ...(options.browserBundleFiles ?? [])]) checkPattern(pattern, paths);
  return confined;
}
