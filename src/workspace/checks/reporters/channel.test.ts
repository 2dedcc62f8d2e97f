// Runners that ended before they were let in, and channels that a killed process left behind.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { tempFolder } from "../../../../tests/support/temp-folder.ts";
import { openChannel, sweepChannels } from "./channel.ts";

it("only channels of ours that are older than a day are removed", () => {
  const root = tempFolder("channels-");
  const other = tempFolder("other-");
  const now = Date.now();
  const make = (name: string, file: string, age: number): string => {
    const folder = join(root, name);
    mkdirSync(folder);
    writeFileSync(join(folder, file), "");
    utimesSync(folder, (now - age) / 1_000, (now - age) / 1_000);
    return folder;
  };
  const day = 86_400_000;
  const left = make("0123456789ab", "channel.cjs", 2 * day);
  const kept = [
    make("aaaaaaaaaaaa", "channel.cjs", day / 2),
    make("bbbbbbbbbbbb", "notes.txt", 2 * day),
    make("cccccccccccc-mine", "channel.cjs", 2 * day),
  ];
  writeFileSync(join(other, "channel.cjs"), "");
  utimesSync(other, 0, 0);
  symlinkSync(other, join(root, "dddddddddddd"));
  sweepChannels(root, now);
  expect(existsSync(left)).toBe(false);
  for (const folder of [...kept, join(other, "channel.cjs"), join(root, "dddddddddddd")])
    expect(existsSync(folder)).toBe(true);
});

it("[B-7] the report of a runner that ended before it was read is complete", async () => {
  const channel = await openChannel();
  if (!channel) throw new Error("no channel");
  const record = (value: object) => `${JSON.stringify(value)}\n`;
  const records = [{ runner: "node" }, { name: "a", ended: "passed" }, { planned: null, failed: false }];
  const program = `const one = require("node:net").connect(${JSON.stringify(join(channel.folder, "socket"))}); one.write(${JSON.stringify(records.map(record).join(""))}, () => process.exit(0));`;
  // This process accepts no connection while it waits here.
  expect(spawnSync(process.execPath, ["-e", program], { timeout: 60_000 }).status).toBe(0);
  expect(await channel.close()).toMatchObject([{ runner: "node", tests: [{ name: "a", ended: "passed" }] }]);
});
