// Runs beside a user who collects garbage without an end: every object that no ref leads to is taken away at once.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, it } from "vitest";
import { plainGit } from "../support/repository.ts";
import { cli, dropPlace, expectSameEnd, newPlace, startArguments } from "./whole-run.ts";
import { runProgram } from "./harness/index.ts";

const times = 8;

it.each(["git prune --expire=now", "git gc -q --prune=now"])(
  `[B-15] [B-17] beside an endless %s a run comes to its end, ${times} of ${times} times, and no ref leads to nothing`,
  async (collect) => {
    for (let time = 0; time < times; time += 1) {
      const place = await newPlace();
      const loop = spawn("sh", ["-c", `while :; do ${collect} > /dev/null 2>&1; done`], { cwd: place.repo });
      const { exitCode, stderr } = await runProgram(cli(place, ...startArguments(place)));
      loop.kill("SIGKILL");
      await once(loop, "exit");
      expect(exitCode, stderr).toBe(0);
      expect(plainGit(place.repo, "fsck", "--no-dangling", "--connectivity-only")).toBe("");
      await expectSameEnd(place);
      dropPlace(place);
    }
  },
);
