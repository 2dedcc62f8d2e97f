import { existsSync, mkdirSync, readFileSync, readdirSync, readlinkSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { makeRepository } from "../../../tests/support/repository.ts";
import { requireRepository } from "./locate.ts";
import { locateRepository } from "./location.ts";
import { isOwnLink, settleState, showState } from "./state-home.ts";

function scene() {
  const made = makeRepository({ "a.txt": "a\n" });
  onTestFinished(() => made.remove());
  return { made, repository: requireRepository(made.dir) };
}

it("[B-18] state is where git clean does not reach, and is shown in the checkout by a link", () => {
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

it("[B-18] a folder .thehood with a store in it is not taken for a configuration and stays as it is", () => {
  const { made, repository } = scene();
  const other = join(made.dir, ".thehood");
  mkdirSync(other);
  for (const name of ["store.db", "config.json"]) writeFileSync(join(other, name), name);
  const home = settleState(repository);
  showState(repository);
  expect(home).toBe(join(made.dir, ".git", "thehood"));
  expect(readdirSync(other).sort()).toEqual(["config.json", "store.db"]);
  expect(readdirSync(home)).toEqual([]);
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
