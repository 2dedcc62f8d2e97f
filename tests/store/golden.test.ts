// Stores that earlier versions wrote: every version since then must read them to the last byte.
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openStore } from "../../src/platform/store/index.ts";
import { schemaVersion } from "../../src/platform/store/schema.ts";
import { clock, contentOf, fill } from "./sample.ts";
import { copyOf } from "./scratch.ts";

const fixtures = join(import.meta.dirname, "fixtures");
const versions = readdirSync(fixtures);

describe("the golden stores", () => {
  it("include one of this version", () => expect(versions).toContain(`v${schemaVersion}`));

  it.each(versions)("%s reads as it was written, verifies, and can be written on", async (version) => {
    const expected: unknown = JSON.parse(readFileSync(join(fixtures, version, "content.json"), "utf8"));
    const dir = copyOf(join(fixtures, version, "store"));
    const reader = openStore(dir, { clock, mode: "read" });
    expect(await contentOf(reader)).toEqual(expected);
    expect(await reader.log.verify()).toEqual({ runs: 3, events: 24, artifacts: 12, problems: [] });
    await reader.close();
    const writer = openStore(dir, { clock });
    await fill(writer, ["run_aaaaaa", "run_dddddd"]);
    expect(await writer.log.verify()).toEqual({ runs: 4, events: 40, artifacts: 16, problems: [] });
    await writer.close();
  });
});
