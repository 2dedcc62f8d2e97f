import { expect, it } from "vitest";
import { forgeOf } from "./index.ts";

it.each([
  ["git@github.com:o/r.git", "gh", "github.com", "o/r"],
  ["https://github.com/o/r", "gh", "github.com", "o/r"],
  ["https://user:secret@github.example.com/o/r.git", "gh", "github.example.com", "o/r"],
  ["ssh://git@gitlab.com:2222/group/sub/r.git/", "glab", "gitlab.com", "group/sub/r"],
])("%s is spoken to with %s", (url, program, host, path) => {
  expect(forgeOf(url)).toEqual({ program, host, path });
});

it.each(["", "/srv/git/r.git", "../r.git", "file:///srv/r.git", "git@localhost:r", "https://x.y/../../r"])(
  "%j is not the address of a forge",
  (url) => expect(forgeOf(url)).toBeUndefined(),
);
