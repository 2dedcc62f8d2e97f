// Every value of the configuration in force, with the file and line that set it, or as a default.
import { isRecord } from "../../core/contract/index.ts";
import { lineOf, type ConfigFiles } from "../../platform/config/index.ts";
import type { ConfigOrigin } from "../../core/contract/setup/index.ts";
import { effectivePolicy } from "../../core/crew/policy/index.ts";

/** Objects are flattened; lists and plain values are not. */
function leaves(value: unknown, path: readonly string[] = []): (readonly [readonly string[], unknown])[] {
  if (!isRecord(value) || Object.keys(value).length === 0) return [[path, value]];
  return Object.entries(value).flatMap(([key, inner]) => leaves(inner, [...path, key]));
}

const spelled = (path: readonly string[]): string =>
  path.map((part) => (part.includes(".") ? `"${part}"` : part)).join(".");

interface File {
  readonly file: string;
  /** The path of a value in this file; undefined where the file cannot set it. */
  at(path: readonly string[]): readonly string[] | undefined;
}

function valueAt(from: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((inner, key) => (isRecord(inner) ? inner[key] : undefined), from);
}

const shared = new Set(["checks", "protectedPaths", "disallowedPaths"]);

export function originsOf(configs: ConfigFiles, root: string): readonly ConfigOrigin[] {
  const { user, repo } = configs.at(root);
  const rest = { roles: { ...user.roles, ...repo.roles }, providers: user.providers, secrets: user.secrets };
  const set = Object.fromEntries(Object.entries(rest).filter(([, value]) => Object.keys(value ?? {}).length > 0));
  const inForce = { policy: effectivePolicy({ user, repo }), ...set };
  const files: readonly (File & { readonly content: unknown })[] = [
    { file: configs.repoFile(root), content: configs.repo(root), at: (path) => path },
    {
      file: configs.sharedFile(root),
      content: configs.shared(root),
      at: ([top, key = "", ...more]) => (top === "policy" && shared.has(key) ? [key, ...more] : undefined),
    },
    { file: configs.userFile(), content: user, at: (path) => path },
  ];
  return leaves(inForce).map(([path, value]) => {
    const from = files.flatMap(({ file, content, at }) => {
      const inFile = at(path);
      const own = inFile && valueAt(content, inFile);
      const counts = own !== undefined && (Array.isArray(own) || own === value);
      const line = counts && inFile ? lineOf(file, inFile) : undefined;
      return line === undefined ? [] : [`${file}:${line}`];
    });
    return { key: spelled(path), value, from: from.length > 0 ? from : ["default"] };
  });
}
