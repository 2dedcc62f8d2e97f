// The output of a rule: events to append, and the artifacts that they name, which are stored first.
import { type ArtifactKind, type ArtifactRef, type RunEvent, type Sha256, plainLine } from "../contract/index.ts";

/** The things that the pure rules are handed. A hash is a function and no piece of the outside world. */
export interface MachineDeps {
  readonly sha256: Sha256;
  /** The flags that a new run records; those of this version without. */
  readonly newRunFlags?: readonly number[];
}

export interface NewArtifact {
  readonly ref: ArtifactRef;
  readonly text: string;
}

export interface Decision {
  readonly events: readonly RunEvent[];
  readonly artifacts: readonly NewArtifact[];
}

export const emit = (...events: RunEvent[]): Decision => ({ events, artifacts: [] });

export function combine(...outputs: readonly (Decision | null | undefined)[]): Decision {
  const given = outputs.filter((output) => output !== null && output !== undefined);
  return {
    events: given.flatMap(({ events }) => events),
    artifacts: given.flatMap(({ artifacts }) => artifacts),
  };
}

const beyondAscii = /[^\u0000-\u007f]+/g;

/** Most of a text is ASCII; only the other parts are read character by character. */
export function utf8Length(text: string): number {
  let bytes = text.length;
  for (const run of text.match(beyondAscii) ?? [])
    for (const character of run) {
      const point = character.codePointAt(0) ?? 0;
      bytes += point < 0x800 ? 1 : 2;
    }
  return bytes;
}

function artifact(
  deps: MachineDeps,
  kind: ArtifactKind,
  mediaType: string,
  text: string,
  summary: string,
): NewArtifact {
  const ref = {
    ref: `sha256:${deps.sha256(text)}`,
    kind,
    bytes: utf8Length(text),
    mediaType,
    summary: plainLine(summary, 300),
  };
  return { ref, text };
}

export function jsonArtifact(deps: MachineDeps, kind: ArtifactKind, content: unknown, summary: string): NewArtifact {
  return artifact(deps, kind, "application/json", `${JSON.stringify(content, null, 2)}\n`.toWellFormed(), summary);
}

export function markdownArtifact(deps: MachineDeps, kind: ArtifactKind, text: string, summary: string): NewArtifact {
  return artifact(deps, kind, "text/markdown", text.toWellFormed(), summary);
}
