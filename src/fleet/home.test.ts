import { expect, it } from "vitest";
import { withoutKeys } from "./home.ts";

it.each([
  ["https://me:a-token@example.com/team/app.git", "https://example.com/team/app.git"],
  ["https://a-token@example.com/team/app.git", "https://example.com/team/app.git"],
  ["ssh://git:a-token@example.com/team/app.git", "ssh://git@example.com/team/app.git"],
  ["git@example.com:team/app.git", "git@example.com:team/app.git"],
  ["/srv/git/app.git", "/srv/git/app.git"],
])("[B-22] the store gets the address %s without its keys", (address, kept) => {
  expect(withoutKeys(address)).toBe(kept);
  expect(withoutKeys(address)).not.toContain("a-token");
});
