// The class of a path relative to the workspace: inside, outside, a stream, a device, the network, or unknown.
import type { CommandPlace } from "../../contract/index.ts";
import { ANY } from "../lexer/pattern.ts";

export type Cwd =
  | { readonly kind: "inside"; readonly segments: readonly string[] }
  /** `base`: the folder, where it is known; it begins with `/` or `~`. */
  | { readonly kind: "outside"; readonly base?: string }
  | { readonly kind: "unknown" };

export const workspaceTop: Cwd = { kind: "inside", segments: [] };

export interface PathClass {
  readonly kind: "inside" | "outside" | "unknown" | "stream" | "device" | "network";
  /** Without `.` and `..`; relative to the workspace, or beginning with `/`, `~` or `..`. */
  readonly path: string;
}

const streams = /^\/dev\/(null|stdin|stdout|stderr|tty|zero|full|random|urandom|fd(\/.*)?)$/;

export function resolveArgument(path: string, cwd: Cwd, root?: string): PathClass {
  if (path === "-" || path === "") return { kind: "stream", path };
  // A star at the start matches names in the folder; only an unknown value can begin with a slash.
  if (path.startsWith(ANY)) return { kind: "unknown", path };
  if (path === "~" || path.startsWith("~/")) return { kind: "outside", path: `~${tidy(path.slice(1))}` };
  if (path.startsWith("/")) return absolute(`/${tidy(path).replace(/^\//, "")}`, root);
  if (cwd.kind === "outside" && cwd.base !== undefined && !path.split("/").includes("..")) {
    const joined = `${cwd.base.replace(/\/$/, "")}/${tidy(path)}`;
    return joined.startsWith("/") ? absolute(joined.replace(/(?<=.)\/$/, ""), root) : { kind: "outside", path: joined };
  }
  if (cwd.kind !== "inside") return { kind: cwd.kind, path: tidy(path) };
  const joined = tidy([...cwd.segments, path].join("/"));
  return { kind: joined === ".." || joined.startsWith("../") ? "outside" : "inside", path: joined };
}

function absolute(path: string, root: string | undefined): PathClass {
  if (/^\/dev\/(tcp|udp)(\/|$)/.test(path)) return { kind: "network", path };
  if (streams.test(path)) return { kind: "stream", path };
  if (path === "/dev" || path.startsWith("/dev/")) return { kind: "device", path };
  if (root !== undefined && (path === root || path.startsWith(`${root}/`)))
    return { kind: "inside", path: path.slice(root.length + 1) || "." };
  return { kind: "outside", path };
}

/** Resolves `.` and `..` in the text alone; leading `..` stay. */
function tidy(path: string): string {
  const lead = path.startsWith("/") ? "/" : "";
  const out: string[] = [];
  for (const segment of path.split("/")) {
    if (segment === "" || segment === ".") continue;
    if (segment === ".." && out.length > 0 && out.at(-1) !== ".." && !out.at(-1)?.includes(ANY)) out.pop();
    else if (segment !== ".." || lead === "") out.push(segment);
  }
  return lead + out.join("/");
}

/** The placeholder for a file or folder that `mktemp` creates. */
export const freshName = "/tmp/tmp.XXXXXXXXXX";

/** A text file in the temporary folder, or any path in a new folder there: no other program reads it. */
export const isTemporaryPath = (path: string) =>
  path === freshName ||
  (path.startsWith(`${freshName}/`) && !path.includes("..")) ||
  /^\/tmp\/[\w-][\w.-]*\.(log|txt|out|err|json|xml|diff|patch|csv|tap)$/.test(path);

/** The temporary folder, which is empty and private in a sandbox. */
export const isScratch = (path: string) =>
  /^\/tmp\/[^/]/.test(path) && !path.includes(ANY) && !/(^|\/)\.\.(\/|$)/.test(path);

/** The current folder is outside the workspace; in a sandbox the temporary folder is as good as inside. */
export const isOutside = (cwd: Cwd, where: CommandPlace): boolean =>
  cwd.kind === "outside" && !(where === "worktree" && isScratchFolder(cwd));

export const isScratchFolder = (cwd: Cwd): boolean =>
  cwd.kind === "outside" && cwd.base !== undefined && (cwd.base === "/tmp" || isScratch(cwd.base));

/** The current folder after a `cd`. */
export function moveTo(path: string, cwd: Cwd, root?: string): Cwd {
  const location = resolveArgument(path, cwd, root);
  if (location.kind === "inside")
    return { kind: "inside", segments: location.path.split("/").filter((s) => s !== "" && s !== ".") };
  if (location.kind === "unknown" || location.kind === "stream") return { kind: "unknown" };
  const known = /^[/~]/.test(location.path) && !location.path.includes(ANY);
  return known ? { kind: "outside", base: location.path } : { kind: "outside" };
}
