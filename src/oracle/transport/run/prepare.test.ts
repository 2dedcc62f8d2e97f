import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { tempFolder } from "../../../../tests/support/temp-folder.ts";
import { prepareBundle } from "../files/bundle.ts";
import { prepareMessage, type Preparing } from "./prepare.ts";

/** A request with these patterns, of a user who writes into a.txt after it was looked at and before it is packed. */
async function prepared(patterns: readonly string[]) {
  const cwd = tempFolder();
  mkdirSync(join(cwd, "src"));
  for (const name of ["a", "b"]) writeFileSync(join(cwd, `src/${name}.txt`), `${name}\n`);
  const fields: Record<string, unknown> = {};
  const limits = { maxFileBytes: null, maxTotalBytes: null };
  const files = { patterns, roots: [], format: "text", lineNumbers: false, attachments: [], ...limits };
  const secrets = { sanitize: false, scan: false };
  const request = {
    cwd,
    files,
    secrets,
    prompt: "look",
    diff: {},
    engine: "api",
    model: "gpt-5.5",
    api: null,
  };
  const deps = {
    redact: (text: string) => ({ text, labels: [] }),
    bundle: async (asked: Preparing["request"]) => {
      const bundle = await prepareBundle(asked);
      writeFileSync(join(cwd, "src/a.txt"), "more\n", { flag: "a" });
      return bundle;
    },
  };
  const preparing = {
    request,
    deps,
    live: { folder: { bundle: join(tempFolder(), "bundle.json") } },
    draft: { warn: () => undefined, set: (more: object) => Object.assign(fields, more) },
    stop: { check: () => undefined },
    log: () => undefined,
    enter: () => undefined,
    earlierChars: 0,
  };
  return { message: await prepareMessage(preparing as unknown as Preparing), fields };
}

describe("the message of a run whose files change while they are packed", () => {
  it("[T-23] is refused where the user named the file", async () => {
    const { message, fields } = await prepared(["src/a.txt", "src/b.txt"]);
    expect(message).toBe("refused");
    expect(fields["error"]).toMatchObject({
      message: "src/a.txt is not sent: changed during read. Nothing was sent.",
    });
  });

  it("goes without the file where the user named its folder, and says so in it", async () => {
    const { message } = await prepared(["src"]);
    expect(message).toMatchObject({ prompt: expect.stringContaining("- src/a.txt (changed_during_read)") });
    expect(message).toMatchObject({ prompt: expect.stringContaining("### File: src/b.txt") });
  });
});
