// Fences: by example, and held to micromark's reading of the same text.
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compared, markdown } from "../../../../tests/corpus/markdown.ts";
import { findFences } from "./fences.ts";

describe("fenced blocks", () => {
  it("are those that micromark finds, with the same content", () => {
    fc.assert(
      fc.property(markdown, (text) => {
        const { ours, reference } = compared(text);
        expect(ours).toEqual(reference);
      }),
      { numRuns: 3000, seed: 7 },
    );
  });

  it.each([
    ["a list that starts with 7 does not interrupt a paragraph", "text\n7. a\n   ```\n   x\n   ```\n", ["x\n"]],
    ["an empty item does not interrupt a paragraph", "text\n-\n  ```\n  x\n  ```\n", ["x\n"]],
    ["an item that was left open by a lazy line", "- z\n<b>\n    ```\n    x\n    ```\n", ["x\n"]],
    ["an empty item behind indented code", "\tcode\n1.\n   ```\n   x\n   ```\n", ["x\n"]],
    ["a tag alone opens HTML up to a blank line", "<b>\n```\nx\n```\n\n```\ny\n```\n", ["y\n"]],
    ["a byte order mark is not part of the first line", "\ufeff```\nx\n```\n", ["x\n"]],
    ["old line ends count", "```\rx\r```\r", ["x\r"]],
    ["a tab that is used in part leaves blanks", "-\t```\n\tx\n\t```\n", ["x\n"]],
  ])("%s", (_what, text, wanted) => {
    expect(findFences(text).map((fence) => fence.text)).toEqual(wanted);
  });

  it("know where they stand in the answer", () => {
    const text = "a\n```js\nx\n```\nb\n";
    const [fence] = findFences(text);
    expect(fence && text.slice(fence.start, fence.end)).toBe("```js\nx\n```\n");
    expect(fence?.info).toBe("js");
  });

  it("nesting without end is text, and takes no time", () => {
    for (const text of [
      ">".repeat(200_000),
      "- ".repeat(200_000),
      "1. ".repeat(100_000),
      `${"- ".repeat(30)}a\n${"\n".repeat(200_000)}`,
    ]) {
      expect(findFences(text)).toEqual([]);
    }
  });
});
