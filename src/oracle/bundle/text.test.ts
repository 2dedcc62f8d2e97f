// The text bundle: readable, and every file can be taken out of it again byte for byte.
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { makePlace, put } from "../../../tests/support/bundle/folders.ts";
import { formatFile, planBundle, writeText } from "./index.ts";
import { fenceFor } from "./text.ts";

/** Takes a file out of its section as a careful reader would. */
function takeOut(section: string): string {
  const heading = section.slice(0, section.indexOf("\n"));
  const body = section.slice(heading.length + 1);
  if (/\([^)]*\bempty\b[^)]*\)$/.test(heading)) return "";
  const fence = /^`+/.exec(body)?.[0] ?? "";
  const content = body.slice(body.indexOf("\n") + 1, body.lastIndexOf(`${fence}\n`));
  return heading.includes("no newline at the end") ? content.slice(0, -1) : content;
}

describe("the text bundle", () => {
  it("shows files in order under their paths, in fences with their language", async () => {
    using place = makePlace();
    put(place, { path: "src/b.ts", content: "export const b = 1;\n" });
    put(place, { path: "a.md", content: "# A\n" });
    const { text } = await writeText(await planBundle({ root: place.root, patterns: ["."] }));
    expect(text).toBe("### File: a.md\n```md\n# A\n```\n\n### File: src/b.ts\n```ts\nexport const b = 1;\n```\n");
  });

  it("uses a fence longer than any run inside", () => {
    expect(fenceFor("no ticks")).toBe("```");
    expect(fenceFor("a ``` b ````` c")).toBe("``````");
    expect(formatFile("a.md", "````\n```\n````\n")).toBe("### File: a.md\n`````md\n````\n```\n````\n`````\n");
  });

  it.each([
    "",
    "x",
    "x\n",
    "x\r\n",
    "x\r\ny",
    "\n",
    "\n\n",
    "  \n",
    "\ufeffbom\n",
    "a\rb",
    "```\n",
    "`".repeat(9),
    "ends in tick`",
  ])("keeps %j byte for byte", (content) => {
    expect(takeOut(formatFile("a.txt", content))).toBe(content);
  });

  it("keeps every text byte for byte", () => {
    const pieces = fc.array(fc.constantFrom("`", "```", "\n", "\r\n", "### File: x", "word", " ", "é", "~~~"), {
      maxLength: 30,
    });
    fc.assert(
      fc.property(pieces, (parts) => {
        const content = parts.join("");
        expect(takeOut(formatFile("a.txt", content))).toBe(content);
      }),
      { numRuns: 2000 },
    );
  });

  it("numbers lines only when asked, and says so", () => {
    expect(formatFile("a.ts", "one\ntwo\n", { lineNumbers: true })).toBe(
      "### File: a.ts (line numbers added)\n```ts\n1 | one\n2 | two\n```\n",
    );
    expect(
      formatFile("a.ts", Array.from({ length: 10 }, (_, i) => `l${i}`).join("\n"), { lineNumbers: true }),
    ).toContain("\n 9 | l8\n10 | l9\n");
  });

  it("tells what was left out on purpose, but not what git ignores", async () => {
    using place = makePlace();
    put(place, { path: ".gitignore", content: "*.log\n" });
    put(place, { path: "a.log" });
    put(place, { path: ".env", content: "A=1\n" });
    const { text } = await writeText(await planBundle({ root: place.root, patterns: ["."] }));
    expect(text.endsWith("\n### Left out on purpose\n- .env (secret_path)\n")).toBe(true);
    expect(text).not.toContain("a.log");
  });

  it("leaves a file out that changed since the plan", async () => {
    using place = makePlace();
    put(place, { path: "a.txt", content: "before\n" });
    put(place, { path: "b.txt", content: "stays\n" });
    const plan = await planBundle({ root: place.root, patterns: ["."] });
    put(place, { path: "a.txt", content: "after!\n" });
    const written = await writeText(plan);
    expect(written.text).not.toMatch(/before|after/);
    expect(written.plan.files.map(({ path }) => path)).toEqual(["b.txt"]);
    expect(written.plan.excluded).toEqual([{ path: "a.txt", reason: "changed_during_read" }]);
  });
});
