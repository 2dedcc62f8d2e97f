// The real hosts read what `thehood mcp config --install` wrote, and those that look reach our server by it.
import { execFile } from "node:child_process";
import { dirname, join } from "node:path";
import process from "node:process";
import { describe, expect, it } from "vitest";
import { openBench } from "../../mcp/client.ts";
import { binDir, missing, titled } from "../installed.ts";

const hosts = [
  { host: "codex", bin: "codex", says: /thehood.*enabled/ },
  { host: "claude", bin: "claude", says: /thehood:.*Connected/ },
  { host: "gemini", bin: "gemini", says: /thehood:.*Connected/ },
  { host: "opencode", bin: "opencode", says: /thehood.*connected/ },
] as const;

function list(bin: string, cwd: string, env: NodeJS.ProcessEnv): Promise<string> {
  return new Promise((resolve) => {
    const child = execFile(join(binDir, bin), ["mcp", "list"], { cwd, env, timeout: 180_000 }, (_, stdout, stderr) =>
      resolve(`${stdout}\n${stderr}`),
    );
    child.stdin?.end();
  });
}

for (const { host, bin, says } of hosts)
  describe.skipIf(missing(bin))(titled(`${host} reads our configuration`, bin), () => {
    it("finds the server in the user's file, beside what stood there", async () => {
      const bench = openBench();
      const env = {
        ...bench.env,
        PATH: `${binDir}:${dirname(process.execPath)}:/usr/bin:/bin`,
        // No folder of the machine's own, and none of the calls home that these programs make by themselves.
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
        GEMINI_CLI_TRUST_WORKSPACE: "true",
        GEMINI_CLI_NO_RELAUNCH: "1",
        OPENCODE_DISABLE_AUTOUPDATE: "1",
        OPENCODE_DISABLE_MODELS_FETCH: "1",
        OPENCODE_DISABLE_DEFAULT_PLUGINS: "1",
      };
      expect(bench.thehood(["mcp", "config", host, "--install"], { env }).code).toBe(0);
      const said = await list(bin, bench.repo.dir, env);
      // oxlint-disable-next-line no-control-regex -- these programs colour what they say
      expect(said.replaceAll(/\u001b\[[0-9;]*m/g, "")).toMatch(says);
    });
  });
