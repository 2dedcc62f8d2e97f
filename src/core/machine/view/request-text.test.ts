import { expect, it } from "vitest";
import { Play, autopilot } from "../../../../tests/support/play.ts";
import { buildFinalReport, requestText } from "./index.ts";

it("a pull request says what is proven and what is not, and a goal in it commands nothing", () => {
  const goal = "close #1 @everyone <img src=x> `rm` [x](http://e)";
  const { report } = buildFinalReport(new Play({ goal, policy: autopilot }).go().run);
  const text = requestText(report, ["verify it"]);
  for (const { statement, standing } of report.claims) {
    expect(text).toContain(standing);
    expect(text.replaceAll("\\", "")).toContain(statement.slice(0, 40).replaceAll("\\", ""));
  }
  expect(text).toContain("## How to verify\n\nverify it");
  expect(text).not.toMatch(/#1|@everyone|(?<!\\)<img|(?<!\\)\]\(http/);
});
