// `thehood mcp config`: what is printed can be pasted, what is installed is installed once, and nothing else is touched.
import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { parse } from "jsonc-parser";
import { describe, expect, it } from "vitest";
import { openTestDesk } from "../cli/program.ts";

const files = {
  codex: [".codex/config.toml", ".codex/config.toml"],
  claude: [".mcp.json", ".claude.json"],
  gemini: [".gemini/settings.json", ".gemini/settings.json"],
  opencode: ["opencode.json", ".config/opencode/opencode.json"],
  cursor: [".cursor/mcp.json", ".cursor/mcp.json"],
  vscode: [".vscode/mcp.json", ".config/Code/User/mcp.json"],
} as const;

const each = Object.entries(files).flatMap(([host, [project, user]]) => [
  [host, "project", project] as const,
  [host, "user", user] as const,
]);

describe("thehood mcp config", () => {
  it.each(each)("%s, %s: shows without writing, installs once, keeps the file as it was", (host, scope, path) => {
    const { thehood, home, repo } = openTestDesk();
    const file = join(scope === "project" ? repo.dir : home, path);
    const args = ["mcp", "config", host, "--scope", scope];
    const shown = thehood([...args, "--json"]).json<{
      file: string;
      state: string;
      snippet: string;
      written: boolean;
    }>();
    expect(shown).toMatchObject({ file, state: "absent", written: false });
    expect(existsSync(file)).toBe(false);
    expect(thehood([...args, "--install"]).err).toContain("+++ ");
    expect(readFileSync(file, "utf8")).toBe(shown.snippet);
    expect(shown.snippet).toContain("mcp");
    const again = thehood([...args, "--install", "--json"]).json<{
      state: string;
      written: boolean;
      backup: null;
    }>();
    expect(again).toMatchObject({ state: "current", written: false, backup: null });
    const own = host === "codex" ? '# mine\nmodel = "x"\n' : '{\n  // mine\n  "theme": 1\n}\n';
    writeFileSync(file, own);
    const merged = thehood([...args, "--install", "--json"]).json<{ backup: string }>();
    expect(readFileSync(merged.backup, "utf8")).toBe(own);
    const text = readFileSync(file, "utf8");
    expect(text).toContain("mine");
    expect(host === "codex" ? { theme: 1 } : parse(text)).toMatchObject({ theme: 1 });
    expect(text).not.toMatch(/token|secret/i);
  });

  it("lists all hosts, names a broken file with its line, and an unknown host with those there are", () => {
    const { thehood, home } = openTestDesk();
    mkdirSync(join(home, ".codex"));
    writeFileSync(join(home, ".codex/config.toml"), "a = 1\nb =\n");
    const { items } = thehood(["mcp", "config", "--json"]).json<{
      items: { host: string; state: string; problem: string }[];
    }>();
    expect(items).toHaveLength(12);
    expect(items.find(({ state }) => state === "unusable")?.problem).toContain("config.toml:2:");
    const broken = thehood(["mcp", "config", "codex", "--install"]);
    expect(broken.code).toBe(2);
    expect(readFileSync(join(home, ".codex/config.toml"), "utf8")).toBe("a = 1\nb =\n");
    expect(thehood(["mcp", "config", "emacs"]).err).toContain("opencode");
    expect(thehood(["mcp", "config", "--install"]).code).toBe(2);
  });

  it("keeps the mode of a file, follows a user's own link, and no link of a repository", () => {
    const { thehood, home, repo } = openTestDesk();
    const real = join(home, "dotfiles/claude.json");
    mkdirSync(dirname(real));
    writeFileSync(real, "{}\n");
    chmodSync(real, 0o640);
    symlinkSync(real, join(home, ".claude.json"));
    expect(thehood(["mcp", "config", "claude", "--install"]).code).toBe(0);
    expect(readFileSync(real, "utf8")).toContain("mcpServers");
    expect(statSync(real).mode & 0o777).toBe(0o640);
    const before = readFileSync(real, "utf8");
    symlinkSync(real, join(repo.dir, ".mcp.json"));
    expect(thehood(["mcp", "config", "claude", "--install", "--scope", "project"]).code).toBe(6);
    symlinkSync(dirname(real), join(repo.dir, ".cursor"));
    expect(thehood(["mcp", "config", "cursor", "--install", "--scope", "project"]).code).not.toBe(0);
    expect(readFileSync(real, "utf8")).toBe(before);
    expect(existsSync(join(dirname(real), "mcp.json"))).toBe(false);
  });

  it("leaves a file alone that its owner has write-protected", () => {
    const { thehood, home } = openTestDesk();
    const file = join(home, ".claude.json");
    writeFileSync(file, "{}\n");
    chmodSync(file, 0o444);
    const refused = thehood(["mcp", "config", "claude", "--install"]);
    expect(refused.code).toBe(6);
    expect(refused.err).toContain("chmod u+w");
    expect(readFileSync(file, "utf8")).toBe("{}\n");
    expect(thehood(["mcp", "config", "claude"]).code).toBe(0);
    chmodSync(file, 0o644);
    expect(thehood(["mcp", "config", "claude", "--install"]).code).toBe(0);
  });

  it("uses the file a person has, and the program by its name where that is found", () => {
    const { thehood, home } = openTestDesk();
    mkdirSync(join(home, ".config/opencode"), { recursive: true });
    writeFileSync(join(home, ".config/opencode/opencode.jsonc"), "{}");
    mkdirSync(join(home, "bin"));
    writeFileSync(join(home, "bin/thehood"), "#!/bin/sh\n", { mode: 0o755 });
    const done = thehood(["mcp", "config", "opencode", "--install", "--json"], {
      env: { PATH: `${join(home, "bin")}:${process.env["PATH"] ?? ""}` },
    }).json<{ file: string }>();
    expect(done.file).toBe(join(home, ".config/opencode/opencode.jsonc"));
    expect(parse(readFileSync(done.file, "utf8"))).toEqual({
      mcp: { thehood: { type: "local", command: ["thehood", "mcp"], enabled: true } },
    });
  });
});
