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
  ["-p x -m gpt-5.5-pro --no-background", "-p x -m gpt-5.5-pro --no-background"],
  ["-p x --search off --notify", "-p x --no-search --notify"],
  ["-p x --search on --no-notify", "-p x --search --no-notify"],
  ["-p x --browser-follow-up y --browser-follow-up z", "-p x --next y --next z"],
  ["-p --force --timeout 5", "-p --force --timeout 5"],
  ["-p x --browser-follow-up --copy --commit-message --route", "-p x --next --copy --commit-message --route"],
  ["-p x --message z", "-p x --prompt z"],
  ["--message=z --browser-follow-up=y", "--prompt z --next y"],
  ["-p x --thinking-time extra-high", "-p x --reasoning-effort xhigh"],
  ["-p x -m gpt-5.5 --browser-thinking-time=pro", "-p x -m gpt-5.5 --reasoning-effort max"],
  ["-p x --browser-timeout 6m", "-p x --timeout 6m"],
  ["-p x --browser-timeout 90000", "-p x --timeout 90000ms"],
  ["-p x --browser-auto-reattach-delay 30s --browser-auto-reattach-interval 2m", "-p x"],
  ["-p x --notify-sound -f src", "-p x -f src"],
  ["-p x --partial ok --models a,b", "-p x --models a,b"],
  ["-p x --toString y", "-p x --toString y"],
  ["session abc --render", "session abc"],
  ["status --clear --hours 168", "clear --older-than 168h"],
  ["session --clear --all", "clear --all"],
  ["status abc", "session abc"],
  ["session", "status"],
  ["status --model gpt-5.5 --hours 5", "status --hours 5"],
  ["session abc --model=gpt-5.5 --render", "session abc"],
  ["-p x --browser-research deep", "-p x --research"],
  ["-p x --browser-research off", "-p x"],
  ["session --hours 5 --limit 3", "status --hours 5 --limit 3"],
  ["session --json", "status --json"],
  ["session --json abc", "session --json abc"],
  ["session --help", "session --help"],
  ["status --clean --all", "clear --all"],
  ["session abc --path --json", "session abc --json"],
  ["--help --verbose", "--help --all"],
  ["--debug-help", "--help --all"],
  ["-p x --render-plain", "-p x --render"],
  ["-p x --max-file-size-bytes 5", "-p x --max-file-size 5"],
  ["-p x --copy-profile /p --browser-debug-port 9222 --gemini-show-thoughts", "-p x"],
  ["serve --manual-login --port 1", "serve --listen 127.0.0.1:1"],
  ["status --hours 72 --limit 50", "status --hours 72 --limit 50"],
  ["doctor --providers --models a,b", "models"],
  ["serve --host 0.0.0.0:9473 --token secret123", "serve --listen 0.0.0.0:9473"],
  ["serve --host 127.0.0.1 --port 1", "serve --listen 127.0.0.1:1"],
  ["apply a.md --include x", "apply a.md --include x"],
  ["-p x -- --copy", "-p x -- --copy"],
])("%s → %s", (line, ours) => {
  expect(read(line)).toBe(ours);
});

it("names what has no effect once, and what another command is here", () => {
  expect(fromUpstream(["-p", "x", "--retain-hours", "5", "--retain-hours", "6", "-v"]).note).toMatch(
    /^--retain-hours: no/,
  );
  expect(fromUpstream(["-p", "x", "--browser-manual-login"]).note).toBeNull();
  expect(fromUpstream(["tui", "--help"]).instead).toMatchObject({ help: true });
  expect(fromUpstream(["bridge"]).instead?.text).toContain("ssh");
  expect(fromUpstream(["serve", "--token", "t"]).note).toContain("serve-token");
  expect(fromUpstream(["-p", "--preflight"]).instead).toBeNull();
  expect(fromUpstream(["-p", "x", "--remote-chrome", "h:1"]).instead).toMatchObject({
    text: expect.stringMatching(/^--remote-chrome: .*--remote ssh/),
    help: false,
  });
  expect(fromUpstream(["status", "--model", "gpt-5.5"]).note).toContain("--model");
  expect(fromUpstream(["-p", "x", "--browser-research", "wide"]).instead?.text).toContain("deep, off");
  expect(fromUpstream(["-p", "x", "--browser-thinking-time"]).instead?.text).toMatch(/needs a value/);
  expect(fromUpstream(["serve", "--token"])).toMatchObject({
    argv: ["serve", "--listen", "127.0.0.1:9473"],
    note: expect.stringContaining("serve-token"),
  });
  expect(fromUpstream(["-p", "x", "--thinking-time", "huge"]).instead?.text).toMatch(
    /^--thinking-time cannot be "huge"\. Give one of: light, .*, max\.$/,
  );
  expect(fromUpstream(["serve", "--listen", "x:1"])).toMatchObject({ instead: null, note: null });
});
