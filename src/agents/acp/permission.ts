// The answer to an agent that asks for permission: by the role's limits, never by what the agent claims. This keeps an honest
// agent to its role; the sandbox around it holds a dishonest one.
import { isAbsolute, relative, resolve, sep } from "node:path";
import { z } from "zod";
import { type AskedRole, roleTable } from "../../core/contract/index.ts";

const toolKinds = [
  "read",
  "edit",
  "delete",
  "move",
  "search",
  "execute",
  "think",
  "fetch",
  "switch_mode",
  "other",
] as const;
export type ToolKind = (typeof toolKinds)[number];

/** A kind that came later than we did is a kind we do not know. */
export const toolKind = z.enum(toolKinds).catch("other");

const text = z.string().max(10_000);
const mostPlaces = 1_000;
/** The files that a tool call names: its locations, and the files in its diffs. */
const placed = z.looseObject({
  locations: z
    .array(z.looseObject({ path: text }))
    .max(mostPlaces)
    .nullish(),
  content: z.unknown().optional(),
});
const difference = z.looseObject({ type: z.literal("diff"), path: text });
export const permissionRequest = z.looseObject({
  toolCall: placed.extend({
    toolCallId: text,
    kind: toolKind.nullish(),
    title: text.nullish().catch(null),
  }),
  options: z.array(z.looseObject({ optionId: text, kind: text })).max(50),
});
type PermissionRequest = z.infer<typeof permissionRequest>;

/** The places that a tool call names; undefined where they cannot be read, so that nothing is allowed. */
export function placesIn(toolCall: unknown): readonly string[] | undefined {
  const read = placed.safeParse(toolCall).data;
  if (!read) return undefined;
  const shown = Array.isArray(read.content) ? read.content.slice(0, mostPlaces) : [];
  return [
    ...(read.locations ?? []).map(({ path }) => path),
    ...shown.flatMap((one) => difference.safeParse(one).data?.path ?? []),
  ];
}

export interface Asker {
  readonly role: AskedRole;
  readonly mayEdit: boolean;
  readonly dir: string;
  /** Our sandbox confines it. */
  readonly confined: boolean;
}

/** Whether this role may have a tool of this kind do something at these places. */
export function mayDo(asker: Asker, kind: ToolKind, paths: readonly string[]): boolean {
  const limits = roleTable[asker.role];
  switch (kind) {
    case "read":
    case "search":
    case "think":
      return limits.read;
    case "fetch":
      return limits.network;
    case "edit":
    case "delete":
    case "move":
      // A change that names no place may be anywhere.
      return asker.mayEdit && paths.length > 0 && paths.every((path) => isInside(asker.dir, path));
    // Only in our sandbox: the effect of a command, or of a tool of unknown kind, cannot be read from its text.
    case "execute":
      return asker.mayEdit && asker.confined && limits.run;
    case "other":
      return asker.mayEdit && asker.confined;
    case "switch_mode":
      return false;
  }
}

function isInside(dir: string, path: string): boolean {
  const below = relative(dir, resolve(dir, path));
  const [first] = below.split(sep);
  return first !== ".." && first !== ".git" && !isAbsolute(below);
}

/** Once is enough: an act that is allowed for good is not asked about again. */
const wanted = {
  allow: ["allow_once", "allow_always"],
  refuse: ["reject_once", "reject_always"],
} as const;

export function choose(allowed: boolean, options: PermissionRequest["options"]): object {
  for (const kind of wanted[allowed ? "allow" : "refuse"]) {
    const option = options.find((one) => one.kind === kind);
    if (option) return { outcome: { outcome: "selected", optionId: option.optionId } };
  }
  return { outcome: { outcome: "cancelled" } };
}
