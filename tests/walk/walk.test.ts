// The walk of `thehood run`, traced: the files that a call goes through from the arguments to the first durable event.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import process from "node:process";
import { expect, it } from "vitest";
import { makeRepository } from "../support/repository.ts";
import { tempFolder } from "../support/temp-folder.ts";

it("goes from the arguments to the first durable event in at most ten steps from file to file", () => {
  const { dir } = makeRepository({ "a.txt": "a\n" });
  const home = tempFolder("home-");
  const entry = join(import.meta.dirname, "../../src/app/thehood.ts");
  const args = ["run", "say hello", "--team", "stub", "--no-loop", "--json"];
  const ran = spawnSync(process.execPath, ["--import", join(import.meta.dirname, "trace.mjs"), entry, ...args], {
    cwd: dir,
    encoding: "utf8",
    env: { ...process.env, HOME: home, XDG_STATE_HOME: "", XDG_CONFIG_HOME: "" },
  });
  const [, walked = "[]"] = /^walked (.*)$/m.exec(ran.stderr) ?? [];
  const all = JSON.parse(walked) as string[];
  expect(all, ran.stderr).toContain("app/thehood/start.ts");
  // The file before it only looks whether the help that the build wrote down is the answer.
  const files = all.slice(all.indexOf("app/thehood/start.ts"));
  expect(files).toContain("operations/perform.ts");
  expect(files.at(-1)).toBe("platform/store/log.ts");
  expect(files.length - 1, files.join("\n")).toBeLessThanOrEqual(10);
});
