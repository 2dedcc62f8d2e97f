import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import { describe, expect, it } from "vitest";
import { tempFolder } from "../../../tests/support/temp-folder.ts";
import { textOf } from "./input.ts";
import type { Io } from "./spec.ts";

const io = (text: string): Io => ({ stdin: Readable.from([Buffer.from(text)]) }) as unknown as Io;

describe("a text that may be in a file", () => {
  it("is the word itself, what standard input holds, or what a file holds", async () => {
    const file = join(tempFolder(), "goal.md");
    writeFileSync(file, "  from a file\n");
    expect(await textOf("fix add", io("x"))).toBe("fix add");
    expect(await textOf("@types/node is wrong", io("x"))).toBe("@types/node is wrong");
    expect(await textOf("-", io(" from a pipe\n"))).toBe("from a pipe");
    expect(await textOf(`@${file}`, io("x"))).toBe("from a file");
    expect(await textOf(undefined, io("x"))).toBeUndefined();
  });

  it("is refused where there is none, with the way to give one", async () => {
    await expect(textOf("-", io(" \n"))).rejects.toThrow("Standard input holds no text.");
    await expect(textOf("@no/such/file", io("x"))).rejects.toThrow("Cannot read no/such/file");
  });
});
