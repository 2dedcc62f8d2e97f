// Our reading of git's configuration against git's own, on files made of everything its syntax knows.
import { describe, it } from "vitest";
import { readsLikeGit } from "../../../tests/support/config-compare.ts";

describe("the configuration reader", () => {
  it("sees every key that git sees, in ten thousand files", () => readsLikeGit(10_000));
});
