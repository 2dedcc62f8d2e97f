// The folders a server is about, with real folders and links.
import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { tempFolder } from "../../../tests/support/temp-folder.ts";
import { FailureError } from "../../core/contract/index.ts";
import { folderFor } from "./roots.ts";

let base: string;
let repo: string;

beforeEach(() => {
  base = realpathSync(tempFolder("roots-"));
  repo = join(base, "repo");
  for (const name of ["repo/sub", "repo-x/sub", "repo2", "other"]) mkdirSync(join(base, name), { recursive: true });
  writeFileSync(join(repo, "file"), "");
  symlinkSync(join(base, "other"), join(repo, "link"));
});

function refused(wanted: unknown): string {
  try {
    return `served: ${folderFor([repo], wanted)}`;
  } catch (error) {
    if (error instanceof FailureError) return error.failure.code;
    throw error;
  }
}

describe("[S-8] a folder that a client names", () => {
  it("is served when it is a root or is below one", () => {
    expect(folderFor([repo], undefined)).toBe(repo);
    expect(folderFor([repo], repo)).toBe(repo);
    expect(folderFor([repo], "sub")).toBe(join(repo, "sub"));
    expect(folderFor([repo], join(repo, "sub", ".."))).toBe(repo);
  });

  it.each(["../repo-x", "../repo-x/sub", "../repo2", "..", "/", "link", "../missing"])(
    "is refused when it is %s, with one answer for all of them",
    (wanted) => {
      expect(refused(wanted)).toBe("permission_denied");
    },
  );

  it("is not a folder when it is a file, a number or text with a NUL", () => {
    for (const wanted of ["file", 7, null, "a\0b"]) expect(refused(wanted)).toBe("invalid_input");
  });
});
