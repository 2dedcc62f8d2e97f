// The door from the log: an event of a kind, of a version or with a flag that this version does not know is refused
// with a clear message. It is never guessed at, and never half understood.
import { type Failure, type RunEvent, type RunEventType, plainLine, runEvent } from "../contract/index.ts";
import { currentFlags } from "./flags.ts";

const newest: Partial<Record<RunEventType, number>> = { run_created: 2 };

/** The newest version of each kind of event that is understood here. An event that names no version has version 1. */
const knownVersions: ReadonlyMap<string, number> = new Map(
  runEvent.options.map(({ shape }) => [shape.type.value, newest[shape.type.value] ?? 1]),
);

const remedy = "Use a newer version of thehood: at least the one that wrote this run.";

const fieldOf = (event: unknown, name: string): unknown =>
  typeof event === "object" && event !== null ? (event as Record<string, unknown>)[name] : undefined;

/** The part of an event that is not known here, in words; undefined when all of it is known. */
export function unknownIn(event: unknown): string | undefined {
  const type = fieldOf(event, "type");
  const known = typeof type === "string" ? knownVersions.get(type) : undefined;
  const name = plainLine(String(type), 60);
  if (known === undefined) return `the kind of event "${name}" is not known`;
  const version = fieldOf(event, "version") ?? 1;
  if (typeof version !== "number" || version > known)
    return `"${name}" in version ${plainLine(String(version), 20)} is not known, only up to version ${known}`;
  const recorded = fieldOf(event, "flags");
  const strange = Array.isArray(recorded) ? recorded.filter((id) => !currentFlags.includes(id)) : [];
  return strange.length > 0
    ? `rule flag ${plainLine(strange.join(", "), 60)} in "${name}" is not known`
    : undefined;
}

export type ReadEvent =
  | { readonly ok: true; readonly event: RunEvent }
  | { readonly ok: false; readonly failure: Failure };

export function readRunEvent(event: unknown, runId: string, seq: number): ReadEvent {
  const refuse = (why: string): ReadEvent => ({
    ok: false,
    failure: {
      code: "store_version",
      message: `Event ${seq} of ${runId} cannot be read by this version: ${why}.`,
      remedy,
    },
  });
  const unknown = unknownIn(event);
  if (unknown !== undefined) return refuse(unknown);
  const parsed = runEvent.safeParse(event);
  if (parsed.success) return { ok: true, event: parsed.data };
  const issue = parsed.error.issues[0];
  const name = plainLine(String(fieldOf(event, "type")), 60);
  return refuse(`"${name}": ${issue?.message ?? "unknown"} at ${issue?.path.join(".") || "type"}`);
}
