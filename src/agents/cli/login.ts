// Whether the user is logged in, told from files and variables only.
import { readFileSync, statSync } from "node:fs";
import type { AgentEnvironment } from "./program.ts";

export const hasVariable = ({ variables }: AgentEnvironment, names: readonly string[]): boolean =>
  names.some((name) => Boolean(variables[name]));

export const hasLoginFile = (path: string): boolean =>
  (statSync(path, { throwIfNoEntry: false })?.size ?? 0) > 2;

/** A small configuration file, or nothing. */
export function fileText(path: string): string {
  try {
    const { size } = statSync(path);
    return size > 1_000_000 ? "" : readFileSync(path, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error) return "";
    throw error;
  }
}
