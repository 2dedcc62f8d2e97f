import { existsSync, mkdirSync, readFileSync, readlinkSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { makeRepository } from "../../../tests/support/repository.ts";
import { requireRepository } from "./locate.ts";
import { locateRepository } from "./location.ts";
import { isOwnLink, settleState, showState, stateHome } from "./state-home.ts";

function scene() {
  const made = makeRepository({ "a.txt": "a\n" });
  onTestFinished(() => made.remove());
  return { made, repository: requireRepository(made.dir) };
}

it("[B-18] state lies where git clean does not reach, and is shown in the checkout by a link", () => {
  const { made, repository } = scene();
  const home = settleState(repository);
  showState(repository);
  writeFileSync(join(home, "store.db"), "runs");
  expect(home).toBe(join(made.dir, ".git", "thehood"));
  expect(readlinkSync(join(made.dir, ".thehood"))).toBe(join(".git", "thehood"));
  expect(isOwnLink(repository)).toBe(true);
  made.git("clean", "-xfdq");
  expect(existsSync(join(made.dir, ".thehood"))).toBe(false);
  expect(locateRepository(made.dir).stateDir).toBe(home);
  expect(readFileSync(join(home, "store.db"), "utf8")).toBe("runs");
});

it("[B-18] state of an older version is used where it is until it is moved, with everything in it", () => {
  const { made, repository } = scene();
  const old = join(made.dir, ".thehood");
  mkdirSync(join(old, "artifacts"), { recursive: true });
  for (const name of ["store.db", "config.json", "artifacts/one"]) writeFileSync(join(old, name), name);
  expect(stateHome(repository)).toBe(old);
  const home = settleState(repository);
  showState(repository);
  expect(home).toBe(join(made.dir, ".git", "thehood"));
  for (const name of ["store.db", "config.json", "artifacts/one"]) {
    expect(readFileSync(join(home, name), "utf8")).toBe(name);
    expect(readFileSync(join(old, name), "utf8")).toBe(name);
  }
  expect(isOwnLink(repository)).toBe(true);
});

it("[B-18] a configuration that the user made later joins state that is there already", () => {
  const { made, repository } = scene();
  writeFileSync(join(settleState(repository), "store.db"), "runs");
  mkdirSync(join(made.dir, ".thehood"));
  writeFileSync(join(made.dir, ".thehood", "config.json"), "{}");
  const home = settleState(repository);
  expect(readFileSync(join(home, "config.json"), "utf8")).toBe("{}");
  expect(readFileSync(join(home, "store.db"), "utf8")).toBe("runs");
  expect(existsSync(join(made.dir, ".thehood"))).toBe(false);
});

it("[B-18] a copy of a repository has state of its own, also when its link leads to the first one's", () => {
  const { made } = scene();
  const { made: first, repository: other } = scene();
  settleState(other);
  symlinkSync(join(first.dir, ".git", "thehood"), join(made.dir, ".thehood"));
  const repository = requireRepository(made.dir);
  const home = settleState(repository);
  showState(repository);
  expect(home).toBe(join(made.dir, ".git", "thehood"));
  expect(readlinkSync(join(made.dir, ".thehood"))).toBe(join(".git", "thehood"));
});
