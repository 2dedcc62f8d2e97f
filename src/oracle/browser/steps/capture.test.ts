import { describe, expect, it } from "vitest";
import { agrees } from "./capture.ts";

const shown = {
  folded: 0,
  markdown: "See [this](https://x.invalid/a).\n\n```js\nconst a = 1;\n```\n\nThat is the end of it.",
  html: "",
  code: ["const a = 1;\n"],
};

describe("copied text counts", () => {
  it("when it holds every code block and the end of what the page shows", () => {
    expect(agrees(shown.markdown, shown)).toBe(true);
    expect(
      agrees("See this.\n\n```js\r\nconst a = 1;\r\n```\r\n\r\nThat is the **end** of it. And a link to more.", shown),
    ).toBe(true);
  });
  it.each([
    ["is empty", ""],
    ["is much shorter", "See this."],
    ["lacks the code", `${"words ".repeat(20)}That is the end of it.`],
    ["changes the code", "See this.\n\n```js\nconst b = 2;\n```\n\nThat is the end of it. And it goes on and on."],
    ["ends elsewhere", "See this.\n\n```js\nconst a = 1;\n```\n\nSomething else altogether, and long enough."],
  ])("not when it %s", (_, copied) => {
    expect(agrees(copied, shown)).toBe(false);
  });
});
