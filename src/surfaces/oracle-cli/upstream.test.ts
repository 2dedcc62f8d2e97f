// Command lines of steipete/oracle as ours.
import { expect, it } from "vitest";
import { fromUpstream } from "./upstream.ts";

const read = (line: string) => fromUpstream(line.split(" ")).argv.join(" ");

it.each([
  ["--render --copy -p Review --file a,!b", "--render --copy-markdown -p Review --file a,!b"],
  ["-p x --include src --files=lib", "-p x --file src --file lib"],
  ["-p x -f src -v", "-p x -f src"],
  ["-p x --browser-bundle-files --browser-bundle-format zip", "-p x --browser-bundle-format zip"],
  ["-p x --browser-bundle-files src/**", "-p x --browser-bundle-files src/**"],
  ["-p x --browser-bundle-format auto --browser", "-p x --browser"],
  ["-p x --timeout auto --heartbeat off", "-p x --heartbeat 0"],
  ["-p x --chatgpt-url https://chatgpt.com/g/g-p-1/project", "-p x --browser-url https://chatgpt.com/g/g-p-1/project"],
  ["-p x --browser-thinking-time extended", "-p x --reasoning-effort high"],
  ["-p --force --timeout 5", "-p --force --timeout 5"],
  ["session abc --render", "session abc"],
  ["apply a.md --include x", "apply a.md --include x"],
  ["-p x -- --copy", "-p x -- --copy"],
])("%s → %s", (line, ours) => {
  expect(read(line)).toBe(ours);
});

it("names what has no effect once, and what another command is here", () => {
  expect(fromUpstream(["-p", "x", "--search", "off", "--search", "on", "-v"]).note).toMatch(/^--search: no effect/);
  expect(fromUpstream(["-p", "x", "--browser-manual-login"]).note).toBeNull();
  expect(fromUpstream(["tui", "--help"]).instead).toMatchObject({ help: true });
  expect(fromUpstream(["serve"]).instead?.text).toContain("ssh");
});
