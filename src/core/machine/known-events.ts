// Reads events of the log: an event of a kind, of a version, with a flag or a field that this version does not know is refused
// with a clear message. It is never guessed, and never read in part.
import { type Failure, type RunEvent, type RunEventType, plainLine, runEvent } from "../contract/index.ts";
import { currentFlags } from "./flags.ts";

const newest: Partial<Record<RunEventType, number>> = { run_created: 2 };

/** The newest version of each kind of event that is understood here. An event that names no version has version 1. */
const knownVersions: ReadonlyMap<string, number> = new Map(
  runEvent.options.map(({ shape }) => [shape.type.value, newest[shape.type.value] ?? 1]),
);

const remedy = "Use a newer version of thehood: at least the one that wrote this run.";

const fieldsOf = (value: unknown): Record<string, unknown> | undefined =>
  typeof value === "object" && value !== null ? (value as Record<string, unknown>) : undefined;

const fieldOf = (event: unknown, name: string): unknown => fieldsOf(event)?.[name];

/** The part of an event that is not known here, in words; undefined when all of it is known. */
export function unknownIn(event: unknown, knownFlags = currentFlags): string | undefined {
  const type = fieldOf(event, "type");
  const known = typeof type === "string" ? knownVersions.get(type) : undefined;
  const name = plainLine(String(type), 60);
  if (known === undefined) return `the kind of event "${name}" is not known`;
  const version = fieldOf(event, "version") ?? 1;
  if (typeof version !== "number" || version > known)
    return `"${name}" in version ${plainLine(String(version), 20)} is not known, only up to version ${known}`;
  const recorded = fieldOf(event, "flags");
  const strange = Array.isArray(recorded) ? recorded.filter((id) => !knownFlags.includes(id)) : [];
  return strange.length > 0 ? `rule flag ${plainLine(strange.join(", "), 60)} in "${name}" is not known` : undefined;
}

/** The first place where `found` holds a thing that `known` does not: a newer program wrote more than is understood here. */
function unknownField(found: unknown, known: unknown, path = ""): string | undefined {
  const [a, b] = [fieldsOf(found), fieldsOf(known)];
  if (!a || !b) return Object.is(found, known) ? undefined : path;
  for (const [name, value] of Object.entries(a)) {
    const below = unknownField(value, b[name], path === "" ? name : `${path}.${name}`);
    if (below !== undefined) return below;
  }
  return undefined;
}

export type ReadEvent =
  | { readonly ok: true; readonly event: RunEvent }
  | { readonly ok: false; readonly failure: Failure };

export function readRunEvent(event: unknown, runId: string, seq: number, knownFlags = currentFlags): ReadEvent {
  const refuse = (why: string): ReadEvent => ({
    ok: false,
    failure: {
      code: "store_version",
      message: `Event ${seq} of ${runId} cannot be read by this version: ${why}.`,
      remedy,
    },
  });
  const unknown = unknownIn(event, knownFlags);
  if (unknown !== undefined) return refuse(unknown);
  const parsed = runEvent.safeParse(event);
  const name = plainLine(String(fieldOf(event, "type")), 60);
  const more = parsed.success ? unknownField(event, parsed.data) : undefined;
  if (more !== undefined) return refuse(`"${name}" holds ${plainLine(more, 60)}, which is not known`);
  if (parsed.success) return { ok: true, event: parsed.data };
  const issue = parsed.error.issues[0];
  return refuse(`"${name}": ${issue?.message ?? "unknown"} at ${issue?.path.join(".") || "type"}`);
}
