import { expect, it } from "vitest";
import { forgeOf, forgesAmong } from "./remote.ts";

it.each([
  ["git@github.com:o/r.git", "gh", "github.com", "o/r"],
  ["https://github.com/o/r", "gh", "github.com", "o/r"],
  ["git@github.com-work:o/r.git", "gh", "github.com", "o/r"],
  ["https://user:secret@github.example.com/o/r.git", "gh", "github.example.com", "o/r"],
  ["https://code.example.org/o/r.git", "gh", "code.example.org", "o/r"],
  ["ssh://git@gitlab.com:2222/group/sub/r.git/", "glab", "gitlab.com", "group/sub/r"],
])("%s is spoken to with %s", (url, program, host, path) => {
  expect(forgeOf(url)).toEqual({ program, host, path });
});

it.each([
  "git@bitbucket.org:o/r.git",
  "https://codeberg.org/o/r",
  "https://gitea.example.com/o/r",
  "https://dev.azure.com/o/r",
])("%j is a forge of neither kind", (url) => expect(forgeOf(url)).toBeUndefined());

it.each(["", "/srv/git/r.git", "../r.git", "file:///srv/r.git", "git@localhost:r", "https://x.y/../../r"])(
  "%j is not the address of a forge",
  (url) => expect(forgeOf(url)).toBeUndefined(),
);

const up = { name: "upstream", url: "https://github.com/up/r.git" };
const fork = { name: "origin", url: "git@github.com:me/r.git" };
const at = (path: string, host = "github.com") => ({ program: host === "gitlab.com" ? "glab" : "gh", host, path });

it.each([
  ["one remote", [fork], at("me/r"), at("me/r")],
  ["a fork whose base gh noted", [fork, { ...up, resolved: "base" }], at("up/r"), at("me/r")],
  ["a base that was named", [{ ...fork, resolved: "up/r" }], at("up/r"), at("me/r")],
  ["pushes that go to a fork", [{ ...up, name: "origin", pushUrl: fork.url }], at("up/r"), at("me/r")],
  ["another remote that nobody chose", [fork, up], at("me/r"), at("me/r")],
  [
    "a base at another host",
    [fork, { name: "lab", url: "https://gitlab.com/up/r", resolved: "base" }],
    at("me/r"),
    at("me/r"),
  ],
])("%s: where the request is opened, and where the branch is", (_, remotes, base, head) =>
  expect(forgesAmong(remotes)).toEqual({ base, head }),
);

it("pushes that go to a host of neither kind have no forge", () => {
  expect(forgesAmong([{ ...up, pushUrl: "/srv/r.git" }])).toBeUndefined();
});
