// The door of this room: reply → diff → verdict, and the class of a path.
import type { PatchVerdict } from "../contract/index.ts";
import type { Patch, Section } from "./model.ts";
import type { PatchOptions } from "./options.ts";
import type { PatchReason } from "./reasons.ts";
import type { TreeReader } from "./tree.ts";

export type * from "./model.ts";
export type * from "./options.ts";
export type * from "./tree.ts";
export { patchReasons, type PatchReason } from "./reasons.ts";

const pending = (name: string): never => {
  throw new Error(`${name} is not built yet`);
};

export interface Problem {
  readonly reason: PatchReason;
  readonly message: string;
  readonly line: number;
  readonly path?: string;
}

/** The sections that could be read, and everything that stands in the way of reading the rest. */
export interface Reading {
  readonly patch: Patch;
  /** Empty only when the patch can be printed back byte for byte. */
  readonly problems: readonly Problem[];
}

export const parsePatch = (_patch: Uint8Array | string): Reading => pending("parsePatch");
export const printPatch = (_patch: Patch): Uint8Array => pending("printPatch");

export const judgePatch = (
  _patch: Uint8Array | string,
  _options: PatchOptions = {},
  _tree?: TreeReader,
): PatchVerdict => pending("judgePatch");

/** Every path the patch writes, creates or removes (not what it only copies from), each once, sorted. */
export const changedPaths = (_patch: Patch): string[] => pending("changedPaths");

export type Applied =
  | { readonly ok: true; readonly bytes: Uint8Array; readonly offsets: readonly number[] }
  | { readonly ok: false; readonly reason: PatchReason; readonly message: string; readonly hunk: number };

/** The new content of one section, exactly as git would write it. `before` is null when the file does not exist. */
export const applyHunks = (_before: Uint8Array | null, _section: Section): Applied => pending("applyHunks");

export const pathKinds = [
  "test",
  "fixture",
  "snapshot",
  "eval",
  "ci",
  "manifest",
  "lockfile",
  "build",
  "lint",
  "runner",
  "hook",
  "agent",
  "editor",
  "registry",
  "container",
  "environment",
  "git",
  "state",
  "docs",
  "dependency",
  "schema",
  "auth",
  "source",
] as const;
export type PathKind = (typeof pathKinds)[number];

export interface PathClass {
  /** A change needs its own approval. */
  readonly protected: boolean;
  /** It makes some program run something, or steers an agent. */
  readonly executes: boolean;
  readonly kinds: readonly PathKind[];
}

export const classifyPath = (_path: string, _extraGlobs?: readonly string[]): PathClass =>
  pending("classifyPath");
export const isProtectedPath = (_path: string, _extraGlobs?: readonly string[]): boolean =>
  pending("isProtectedPath");
