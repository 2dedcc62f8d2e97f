import { openSync } from "node:fs";
import { expect, it } from "vitest";
import { FailureError } from "./failure.ts";
import { diskFailure } from "./disk-failure.ts";

const system = (code: string) => Object.assign(new Error(`${code}: said so`), { code, syscall: "mkdir", path: "/a/b" });

it.each([
  ["ENOSPC", "store_full"],
  ["EDQUOT", "store_full"],
  ["EIO", "store_io"],
  ["EROFS", "permission_denied"],
  ["EACCES", "permission_denied"],
  ["Unknown system error -122", "store_full"],
  ["Unknown system error -116", "store_io"],
  ["EXDEV", "store_io"],
  ["EBUSY", "store_io"],
  ["EMFILE", "out_of_resources"],
  ["ENOMEM", "out_of_resources"],
])("%s from a file operation is the failure %s, with the path and what to do", (code, expected) => {
  const failure = diskFailure(system(code))?.failure;
  expect(failure?.code).toBe(expected);
  expect(failure?.message).toContain("/a/b");
  expect(failure?.remedy).toBeTruthy();
});

it("a failure stays itself; a missing file, a plain error or a bug is none", () => {
  const failure = new FailureError({ code: "conflict", message: "m" });
  expect(diskFailure(failure)).toBe(failure);
  let missing: unknown;
  try {
    openSync("/nowhere/at/all", "r");
  } catch (error) {
    missing = error;
  }
  const plain = Object.assign(new Error("x"), { code: "ENOSPC" });
  for (const other of [missing, plain, new TypeError("x"), "ENOSPC", null]) expect(diskFailure(other)).toBeUndefined();
});
