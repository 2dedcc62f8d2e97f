// The steps that several commands share: the arguments that Node runs each with.
import { existsSync } from "node:fs";
import process from "node:process";
import { root, say } from "./run.mjs";

const program = (path) => `${root}/node_modules/${path}`;

export const types = ["scripts/types.mjs"];
/** Writes no file: a type of the library that cannot be declared without another package is an error. */
export const libraryTypes = ["scripts/build/types.ts"];
export const format = [program("oxfmt/bin/oxfmt"), "--check", "."];
export const vitest = [program("vitest/vitest.mjs"), "run"];

/** Lint with the rules that need types, such as promises that nothing waits for; without them where their program is
 * not made for this platform. */
export function lint() {
  const plain = [program("oxlint/bin/oxlint"), "--deny-warnings"];
  if (existsSync(program(`@oxlint-tsgolint/${process.platform}-${process.arch}`))) return [...plain, "--type-aware"];
  say("lint: the rules that need types are left out, because oxlint-tsgolint is not installed for this platform");
  return plain;
}
