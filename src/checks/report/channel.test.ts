// Channels that a killed process left behind.
import { existsSync, mkdirSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { tempFolder } from "../../../tests/support/temp-folder.ts";
import { sweepChannels } from "./channel.ts";

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
