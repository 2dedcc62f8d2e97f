// The commands of a person for one session, as programs against a gateway with real sandboxes and a played agent.
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { describe, expect, it } from "vitest";
import { saveFiles } from "../../src/gateway/index.ts";
import { detectSandbox } from "../../src/platform/sandbox/index.ts";
import { bin } from "../cli/program.ts";
import { tempFolder } from "../support/temp-folder.ts";
import { openScene, type Answer, type Scene } from "./support/scene.ts";

const { kind: sandbox } = await detectSandbox();
const confined = it.skipIf(sandbox === "none");

interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
  readonly json: Answer;
}

const hood =
  (scene: Scene, home: string) =>
  (words: readonly string[], input = ""): Promise<Ended> =>
    new Promise((resolve) => {
      const env = {
        PATH: process.env["PATH"],
        HOME: home,
        NO_COLOR: "1",
        THEHOOD_GATEWAY_URL: scene.url,
        THEHOOD_GATEWAY_TOKEN: scene.adminToken,
      };
      const child = spawn(process.execPath, [bin, "gateway", ...words], { cwd: home, env });
      let [out, err] = ["", ""];
      child.stdout.on("data", (chunk: Buffer) => (out += chunk.toString("utf8")));
      child.stderr.on("data", (chunk: Buffer) => (err += chunk.toString("utf8")));
      child.stdin.end(input);
      child.once("close", (code) =>
        resolve({ code, out, err, json: out.startsWith("{") ? (JSON.parse(out) as Answer) : undefined }),
      );
    });

async function opened() {
  const scene = await openScene();
  const { id: configurationId } = (await scene.ask("POST", "/api/configurations", { name: "shop" })).body as Answer;
  const made = await scene.ask("POST", "/api/sessions", { kind: "coding", configurationId, start: true, id: "work" });
  expect(made).toMatchObject({ status: 201, body: { status: "running" } });
  const home = tempFolder("gateway-home-");
  return { scene, home, configurationId: configurationId as string, thehood: hood(scene, home) };
}

describe("[A-46] a person at the command line", () => {
  confined("answers the values that the agent asked for, and no value is printed or stored in an event", async () => {
    const { scene, home, thehood, configurationId } = await opened();
    const keys = [{ key: "SHOP_KEY" }, { key: "SECOND" }, { key: "PORT", type: "env" }];
    const ask = `CALL request_env_variables ${JSON.stringify({ keys })}`;
    expect(await thehood(["send", "work", ask, "--wait", "--json"])).toMatchObject({
      code: 0,
      json: { accepted: true, answer: "Asked the user for: SHOP_KEY, SECOND, PORT." },
    });
    expect((await thehood(["sessions"])).out).toMatch(
      /waits for values: SHOP_KEY, SECOND, PORT\n.*gateway answer work/,
    );

    const canary = "cnry-0f-the-cmd-l1ne-31415";
    expect(await thehood(["answer", "work"])).toMatchObject({ code: 2, out: "" });
    const piped = await thehood(["answer", "work", "SHOP_KEY", "--keep", "--json"], `${canary}\n`);
    expect(piped).toMatchObject({
      code: 0,
      json: { submitted: ["SHOP_KEY"], kept: ["SHOP_KEY"], waitsFor: ["SECOND", "PORT"], agentInformed: false },
    });
    writeFileSync(join(home, "values.env"), `# mine\nexport PORT=8080\nSECOND="${canary} two"\n`);
    const last = (await scene.gateway.deps.store.events("work", 0, 10_000)).at(-1)?.seq ?? 0;
    const filed = await thehood(["answer", "work", "--file", "values.env"]);
    expect(filed).toMatchObject({ code: 0, out: expect.stringContaining("given: PORT, SECOND") as string });
    const message = await scene.event("work", ({ type }) => type === "message", last);
    expect(message.data).toMatchObject({ role: "user", text: "Configuration submitted." });
    expect(JSON.parse(await scene.shell("work", "cat /tmp/.proliferate_env.json"))).toEqual({
      SHOP_KEY: canary,
      PORT: "8080",
      SECOND: `${canary} two`,
    });
    await scene.shell("work", "rm /tmp/.proliferate_env.json");
    expect(await thehood(["answer", "work", "--stored", "SHOP_KEY"])).toMatchObject({ code: 0 });
    expect(await scene.shell("work", "cat /tmp/.proliferate_env.json")).toContain(canary);
    const outputs = JSON.stringify([piped, filed, await scene.gateway.deps.store.events("work", 0, 10_000)]);
    expect(outputs).not.toContain(canary);
    expect((await thehood(["config", "work"])).out).toMatch(new RegExp(`${configurationId}.*\n.*SHOP_KEY`));
    expect(await thehood(["answer", "work", "1BAD=x", "--json"])).toMatchObject({ code: 2 });
    expect(await thehood(["answer", "work", `A=${canary}`, "--decline"])).toMatchObject({ code: 0 });
  });

  confined("sees evidence as files, the diff, the ledger and the snapshots, and goes back to one", async () => {
    const { scene, home, thehood } = await opened();
    const png = Buffer.from("89504e470d0a1a0a00ff", "hex");
    await scene.shell(
      "work",
      `mkdir -p .proliferate/.verification/sub && printf green > .proliferate/.verification/sub/log.txt && printf ${png.toString("base64")} | base64 -d > .proliferate/.verification/shot.png && echo one > app.txt`,
    );
    expect((await thehood(["evidence", "work"])).out).toContain("No evidence yet");
    await thehood(["send", "work", "CALL verify {}", "--wait"]);
    const listed = await thehood(["evidence", "work", "--json"]);
    expect(listed.json.evidence).toMatchObject([{ files: [{ path: "shot.png" }, { path: "sub/log.txt" }] }]);
    const written = await thehood(["evidence", "work", "--out", "proof"]);
    expect(written).toMatchObject({ code: 0, out: expect.stringMatching(/^2 files in .*proof\n$/) as string });
    const folder = join(
      home,
      "proof",
      (listed.json.evidence[0].prefix as string).split("/").at(-1)?.slice(0, 12) ?? "",
    );
    expect(readFileSync(join(folder, "shot.png"))).toEqual(png);
    expect(readFileSync(join(folder, "sub/log.txt"), "utf8")).toBe("green");
    expect(await thehood(["evidence", "work", "--out", "proof"])).toMatchObject({
      code: 1,
      err: expect.stringContaining("not empty") as string,
    });
    const { ref } = listed.json.evidence[0].files[1] as { ref: string };
    expect((await thehood(["evidence", "work", "--ref", ref])).out).toBe("green");

    expect((await thehood(["diff", "work"])).out).toMatch(/^diff --git a\/app\.txt b\/app\.txt\n/);
    expect((await thehood(["ledger", "work", "--json"])).json.invocations).toMatchObject([
      { tool: "verify", effects: 1 },
    ]);

    const saved = await thehood(["snapshots", "work", "--save", "one", "--json"]);
    const { snapshotId } = saved.json.saved as { snapshotId: string };
    await scene.shell("work", "echo two > app.txt");
    expect(await thehood(["snapshots", "work", "--restore", "snap_none"])).toMatchObject({ code: 2 });
    expect(await scene.shell("work", "cat app.txt")).toBe("two\n");
    expect(await thehood(["snapshots", "work", "--restore", snapshotId])).toMatchObject({ code: 0 });
    expect(await scene.shell("work", "cat app.txt")).toBe("one\n");
    expect((await thehood(["snapshots", "work"])).out).toMatch(/before going back to/);
    // The change of the session is still all that it did.
    expect((await thehood(["diff", "work"])).out).toMatch(/^\+one$/m);

    await thehood(["stop", "work"]);
    expect(await thehood(["send", "work", "hello"])).toMatchObject({
      code: 1,
      err: expect.stringContaining("thehood gateway start") as string,
    });
    expect(await thehood(["start", "work"])).toMatchObject({ code: 0 });
    expect(await scene.shell("work", "cat app.txt")).toBe("one\n");
    expect(await thehood(["send", "nobody", "hello"])).toMatchObject({ code: 2 });
    expect(await thehood(["send", "work"])).toMatchObject({ code: 2 });
  });

  confined("a wait for a turn that does not end is bounded", async () => {
    const { thehood } = await opened();
    const bounded = await thehood(["send", "work", "HANG", "--wait", "--timeout", "2"]);
    expect(bounded).toMatchObject({ code: 1, out: "" });
    expect(bounded.err).toMatch(/did not end in 2 s. The agent goes on[^]*gateway logs SESSION --follow/);
    expect(await thehood(["send", "work", "x", "--wait", "--timeout", "0"])).toMatchObject({ code: 2 });
  });

  it("evidence with a hostile name is written nowhere", async () => {
    const base64 = async () => "eA==";
    const folder = tempFolder("evidence-");
    for (const path of ["../out.txt", "/etc/x", "a/../../x", "a//b", "", "C:x", "a\\b"])
      await expect(saveFiles(join(folder, "new"), [{ path, base64 }])).rejects.toThrow("leads out");
    expect(existsSync(join(folder, "new"))).toBe(false);
    mkdirSync(join(folder, "full"));
    writeFileSync(join(folder, "full", "mine"), "mine");
    await expect(saveFiles(join(folder, "full"), [{ path: "mine", base64 }])).rejects.toThrow("not empty");
  });
});
