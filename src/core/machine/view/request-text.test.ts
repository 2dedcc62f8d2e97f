import { expect, it } from "vitest";
import type { Doubt } from "../../contract/index.ts";
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

it("[B-26] a pull request says first, in words and without a cut, what the runtime doubts", () => {
  const measure = `no check notices when its values are wrong; ${"0 of 6 mistakes, ".repeat(60)}and that is the end`;
  const doubts = (variant: string): Doubt[] =>
    variant === "base" ? [] : [{ kind: "untried", place: "src/b.ts", measure }];
  const doubted = buildFinalReport(new Play({ policy: autopilot }, { doubts }).go().run).report;
  const text = requestText(doubted, []);
  expect(text).toContain("The run **completed with doubts**");
  expect(text).toContain(`- not measured: src/b.ts: ${measure}`);
  expect(text.indexOf("Doubts of the runtime")).toBeLessThan(text.indexOf("## Claims"));
  const plain = requestText(buildFinalReport(new Play({ policy: autopilot }).go().run).report, []);
  expect(plain).not.toContain("doubts");
});
