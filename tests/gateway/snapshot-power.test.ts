// A power loss while a snapshot is taken: its files are on the disk before it has its name, and the name before the answer.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { hasStrace, traced } from "../support/traced.ts";
import { tempFolder } from "../support/temp-folder.ts";

const door = join(import.meta.dirname, "../../src/gateway/sandboxes/snapshots.ts");

it.skipIf(!hasStrace)("[B-30] a snapshot is synced before it gets its name (needs strace)", () => {
  const folder = tempFolder("snapshot-power-");
  const [home, root] = [join(folder, "home"), join(folder, "snapshots")];
  mkdirSync(join(home, "work"), { recursive: true });
  writeFileSync(join(home, "work", "kept.txt"), "kept");
  const calls = traced(
    folder,
    "syncfs,fsync,rename,renameat2,write",
    `import { writeSync } from "node:fs";
     import { folderSnapshots } from ${JSON.stringify(door)};
     await folderSnapshots(${JSON.stringify(root)}).take("one", ${JSON.stringify(home)}, { files: [], values: [] });
     writeSync(1, "answered");`,
  );
  const wanted = calls.flatMap((line) => {
    if (/\b(syncfs|fsync)\([^)]*one\.partial/.test(line)) return ["files synced"];
    if (/\brename(at2)?\(.*one\.partial/.test(line)) return ["named"];
    if (line.includes("fsync(") && line.includes(`<${root}>`)) return ["name synced"];
    return line.includes('"answered"') ? ["answered"] : [];
  });
  expect(wanted).toEqual(["files synced", "named", "name synced", "answered"]);
});
