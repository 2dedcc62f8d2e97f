// Sessions in real local sandboxes, with a played agent: files, variables, services, snapshots, secrets, events.
import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { WebSocket } from "ws";
import { detectSandbox } from "../../src/platform/sandbox/index.ts";
import { tempFolder } from "../support/temp-folder.ts";
import { openScene, type Answer, type Scene } from "./support/scene.ts";

const { kind: sandbox } = await detectSandbox();
const confined = it.skipIf(sandbox === "none");

function repository(): string {
  const folder = tempFolder("gateway-repo-");
  const git = (...args: string[]) =>
    execFileSync("git", ["-C", folder, "-c", "user.name=t", "-c", "user.email=t@t", ...args]);
  git("init", "-q", "-b", "main");
  writeFileSync(join(folder, "app.txt"), "one\n");
  // A repository that brings a tool and a setting of its own for the agent.
  mkdirSync(join(folder, ".opencode", "tool"), { recursive: true });
  writeFileSync(join(folder, ".opencode", "tool", "save_env_files.ts"), "throw new Error('not ours')\n");
  git("add", "-A");
  git("commit", "-qm", "start");
  return folder;
}

async function session(
  scene: Scene,
  kind: string,
  more: object = {},
): Promise<{ id: string; configurationId: string }> {
  const known = more as { configurationId?: string };
  const configurationId =
    known.configurationId ??
    ((await scene.ask("POST", "/api/configurations", { name: "shop", source: repository() })).body as Answer).id;
  const made = await scene.ask("POST", "/api/sessions", { kind, configurationId, start: true, ...more });
  expect(made).toMatchObject({ status: 201, body: { status: "running" } });
  return { id: made.body.id as string, configurationId: configurationId as string };
}

async function call(scene: Scene, id: string, tool: string, args: object): Promise<Answer> {
  const last = (await scene.gateway.deps.store.events(id, 0, 10_000)).at(-1)?.seq ?? 0;
  await scene.ask("POST", `/api/sessions/${id}/message`, { content: `CALL ${tool} ${JSON.stringify(args)}` });
  const end = await scene.event(id, ({ type }) => type === "tool_end", last);
  await scene.event(id, ({ type }) => type === "message_complete", last);
  return JSON.parse(String(end.data["result"])) as Answer;
}

const canary = "cnry-7h3-v4lu3-th4t-must-n0t-l34k";
const file = { path: ".env", format: "dotenv", mode: "secret", keys: [{ key: "SHOP_KEY", required: true }] };

describe("a session in a local sandbox", () => {
  confined(
    "[A-7][A-8][A-10][A-11][A-20][A-21][A-28][A-29][A-30][A-31] setup, submitted values, saved files and services, evidence, a snapshot, and a coding session from it",
    async () => {
      const scene = await openScene();
      const { id, configurationId } = await session(scene, "setup");
      expect((await scene.shell(id, "ls .opencode/tool/*.ts")).trim().split("\n")).toEqual(
        expect.arrayContaining([expect.stringContaining("save_env_files.ts"), expect.stringContaining("verify.ts")]),
      );
      expect(await scene.shell(id, "cat .opencode/tool/save_env_files.ts")).not.toContain("not ours");

      const secrets = [{ key: "SHOP_KEY", value: canary, persist: true }];
      const envVars = [{ key: "ONCE", value: "only-this-session" }];
      const submitted = await scene.ask("POST", `/api/sessions/${id}/env`, { secrets, envVars });
      expect(submitted.body.results).toEqual([{ key: "SHOP_KEY", persisted: true, alreadyExisted: false }]);
      expect(
        await scene.shell(
          id,
          "jq -r .ONCE /tmp/.proliferate_env.json 2>/dev/null || grep -o only-this-session /tmp/.proliferate_env.json",
        ),
      ).toBe("only-this-session\n");
      expect(await scene.shell(id, "stat -c %a /tmp/.proliferate_env.json")).toBe("600\n");

      expect(await call(scene, id, "save_env_files", { files: [file] })).toMatchObject({ success: true });
      const commands = [{ name: "web one", command: "echo serving $SHOP_KEY | cut -c1-11; sleep 600" }];
      expect(await call(scene, id, "save_service_commands", { commands })).toMatchObject({ success: true });

      await scene.shell(
        id,
        `mkdir -p .proliferate/.verification && printf 'all green, key ${canary}\\n' > .proliferate/.verification/log.txt`,
      );
      await scene.shell(
        id,
        "printf 'A=1\\n' > .proliferate/.verification/.env; ln -s /etc/ssl .proliferate/.verification/out",
      );
      const verified = await call(scene, id, "verify", {});
      expect(verified.data).toMatchObject({ uploadedCount: 1, left: [{ path: ".env" }] });
      const again = await call(scene, id, "verify", {});
      expect(again.data.prefix).toBe(verified.data.prefix);

      // A value that the agent wrote where it does not belong is in no snapshot either.
      await scene.shell(
        id,
        `printf 'two\\n' > app.txt; printf 'note ${canary} end' > notes.txt; printf 'SHOP_KEY=${canary}' > .env`,
      );
      const saved = await call(scene, id, "save_snapshot", { message: "works" });
      expect(saved).toMatchObject({ success: true, data: { target: "configuration" } });
      expect(await scene.shell(id, "cat .env notes.txt")).toContain(canary);

      const coding = await session(scene, "coding", { configurationId });
      expect((await scene.shell(coding.id, "cd .opencode/tool; ls *.ts")).trim().split("\n").sort()).toEqual([
        "request_env_variables.ts",
        "save_snapshot.ts",
        "verify.ts",
      ]);
      expect(await scene.shell(coding.id, "cat app.txt")).toBe("two\n");
      expect(await scene.shell(coding.id, "cat notes.txt")).toMatch(/^note x+ end$/);
      expect(await scene.shell(coding.id, "cat .env; stat -c %a .env")).toBe(`SHOP_KEY=${canary}\n600\n`);
      expect(
        await scene.shell(coding.id, "git status --porcelain --ignored=no -- .env opencode.json .proliferate"),
      ).toBe("");
      expect(await scene.shell(coding.id, "cat /tmp/proliferate/logs/web_one.log")).toBe("serving cnr\n");
      expect(await scene.shell(coding.id, "cat /tmp/.proliferate_env.json")).not.toContain("only-this-session");
      expect(
        await scene.ask(
          "POST",
          `/proliferate/${coding.id}/tools/save_env_files`,
          { tool_call_id: "x", args: { files: [file] } },
          await token(scene, coding.id),
        ),
      ).toMatchObject({ status: 403 });

      // Nothing that this gateway keeps or tells holds the value, except the sandboxes' own homes.
      for (const { sessionId } of [{ sessionId: id }, { sessionId: coding.id }])
        expect(JSON.stringify(await scene.gateway.deps.store.events(sessionId, 0, 10_000))).not.toContain(canary);
      expect(JSON.stringify(scene.logged)).not.toContain(canary);
      expect(everyByte(scene.folder, ["boxes"])).not.toContain(canary);
      expect(
        JSON.stringify((await scene.ask("GET", `/api/configurations/${configurationId}/secrets`)).body),
      ).not.toContain(canary);
    },
  );

  confined(
    "[A-23][A-31][S-1] the sandbox has its three variables, no key, no home of ours and no network",
    async () => {
      const scene = await openScene();
      const { id } = await session(scene, "scratch");
      const env = await scene.shell(id, "env");
      for (const name of ["SANDBOX_MCP_AUTH_TOKEN", "PROLIFERATE_GATEWAY_URL", "PROLIFERATE_SESSION_ID"])
        expect(env).toMatch(new RegExp(`^${name}=.+$`, "m"));
      expect(env).not.toContain(scene.adminToken);
      expect(await scene.shell(id, `ls ${scene.folder} 2>&1 || true`)).toContain("No such file");
      expect(await scene.shell(id, "cat /proc/net/dev | tail -n +3 | cut -d: -f1 | tr -d ' '")).toBe("lo\n");
      const inside =
        "node -e \"fetch('http://127.0.0.1:8700/api/sessions',{headers:{authorization:'Bearer '+process.env.SANDBOX_MCP_AUTH_TOKEN}}).then(r=>console.log(r.status))\"";
      expect(await scene.shell(id, inside)).toBe("403\n");
    },
  );

  confined(
    "[A-33] a client that reconnects gets the events it missed, over server-sent events and over a WebSocket",
    async () => {
      const scene = await openScene();
      const { id } = await session(scene, "scratch");
      const first = await scene.event(id, ({ data }) => data["status"] === "running");
      await scene.ask("POST", `/api/sessions/${id}/message`, { content: "hello out there" });
      const end = await scene.event(id, ({ type }) => type === "message_complete");
      const wanted = await scene.gateway.deps.store.events(id, first.seq, 1000);
      expect(wanted.map(({ type }) => type)).toEqual(
        expect.arrayContaining(["message", "token", "status", "message_complete"]),
      );

      const socket = new WebSocket(`${scene.url.replace("http", "ws")}/api/sessions/${id}/events?after=${first.seq}`, [
        "thehood",
        `bearer.${scene.adminToken}`,
      ]);
      const received: { seq: number }[] = [];
      await new Promise<void>((resolve) => {
        socket.on("message", (data) => {
          received.push(JSON.parse(String(data)) as { seq: number });
          if (received.at(-1)?.seq === end.seq) resolve();
        });
      });
      socket.close();
      expect(received).toEqual(wanted.filter(({ seq }) => seq <= end.seq));

      const ending = new AbortController();
      const stream = await fetch(`${scene.url}/api/sessions/${id}/events`, {
        headers: { authorization: `Bearer ${scene.adminToken}`, "last-event-id": String(first.seq) },
        signal: ending.signal,
      });
      let text = "";
      for await (const chunk of stream.body ?? []) {
        text += Buffer.from(chunk as Uint8Array).toString("utf8");
        if (text.includes(`id: ${end.seq}\n`)) break;
      }
      ending.abort();
      expect([...text.matchAll(/^id: (\d+)$/gm)].map(([, seq]) => Number(seq))).toEqual(
        wanted.filter(({ seq }) => seq <= end.seq).map(({ seq }) => seq),
      );
    },
  );

  confined("[A-12][A-33] tool_start carries the arguments, so that the request for variables is seen", async () => {
    const scene = await openScene();
    const { id } = await session(scene, "scratch");
    await scene.ask("POST", `/api/sessions/${id}/message`, {
      content: 'CALL request_env_variables {"keys":[{"key":"A"}]}',
    });
    const start = await scene.event(id, ({ type }) => type === "tool_start");
    expect(start.data).toMatchObject({ tool: "request_env_variables", args: { keys: [{ key: "A" }] } });
  });

  confined(
    "[A-9][A-42] an automation run completes once, its sandbox is stopped, and its token opens nothing any more",
    async () => {
      const scene = await openScene();
      const { id } = await session(scene, "automation");
      const { runId } = (await scene.ask("GET", `/api/sessions/${id}`)).body;
      const held = await token(scene, id);
      const args = {
        run_id: runId,
        completion_id: `run:${runId}:completion:v1`,
        outcome: "succeeded",
        summary_markdown: "done",
      };
      expect(await call(scene, id, "automation_complete", args)).toMatchObject({ success: true });
      expect((await scene.ask("GET", "/api/runs")).body.runs).toMatchObject([{ id: runId, status: "succeeded" }]);
      await scene.event(id, ({ data }) => data["status"] === "stopped");
      const late = await scene.ask(
        "POST",
        `/proliferate/${id}/tools/automation.complete`,
        { tool_call_id: "other", args: { ...args, completion_id: "other" } },
        held,
      );
      expect(late.status).toBe(403);
      expect(await scene.ask("POST", `/api/sessions/${id}/start`)).toMatchObject({ status: 409 });
    },
  );

  confined("a store that is away for a while ends no gateway, and work that is left is done later", async () => {
    const line = { away: true };
    const scene = await openScene({
      store: (store) => ({
        ...store,
        outboxDue: (now) => (line.away ? Promise.reject(new Error("the database is away")) : store.outboxDue(now)),
      }),
    });
    const { id } = await session(scene, "automation");
    const { runId } = (await scene.ask("GET", `/api/sessions/${id}`)).body;
    const args = { run_id: runId, completion_id: "c1", outcome: "succeeded", summary_markdown: "done" };
    expect(await call(scene, id, "automation_complete", args)).toMatchObject({ success: true });
    const entry = expect.objectContaining({ event: "outbox", why: "Error: the database is away" }) as object;
    await expect.poll(() => scene.logged, { timeout: 60_000 }).toContainEqual(entry);
    line.away = false;
    await scene.event(id, ({ data }) => data["status"] === "stopped");
  });

  confined("[A-25] a session whose agent lists other tools does not start", async () => {
    const liar = join(tempFolder("liar-"), "agent.cjs");
    const honest = readFileSync(join(import.meta.dirname, "support/agent.cjs"), "utf8");
    writeFileSync(liar, honest.replace('["bash", "read", ...tools()]', '["bash", "read"]'), { mode: 0o755 });
    const scene = await openScene({ agent: liar });
    const made = await scene.ask("POST", "/api/sessions", { kind: "scratch", start: true });
    expect(made).toMatchObject({ status: 503, body: { error: expect.stringContaining("verify") as string } });
    expect((await scene.ask("GET", "/api/sessions")).body.sessions).toMatchObject([{ status: "failed" }]);
  });

  confined("a gateway that starts anew takes up the sandboxes of the one before", async () => {
    const scene = await openScene();
    const { id } = await session(scene, "scratch");
    await scene.shell(id, "echo kept > here.txt");
    const second = await openScene({ folder: scene.folder });
    expect(await second.shell(id, "cat here.txt")).toBe("kept\n");
    await second.ask("POST", `/api/sessions/${id}/message`, { content: "after the restart" });
    const message = await second.event(id, ({ type, data }) => type === "message" && data["role"] === "assistant");
    expect(message.data["text"]).toBe("after the restart");
  });

  confined("the work of a session comes back as a patch without the files that we put there", async () => {
    const scene = await openScene();
    const { id } = await session(scene, "coding");
    await scene.shell(id, "printf 'two\\n' > app.txt; printf 'new\\n' > added.txt");
    const answer = await scene.ask("GET", `/api/sessions/${id}/diff`);
    expect(answer).toMatchObject({ status: 200 });
    const { patch } = answer.body as { patch: string };
    expect([...patch.matchAll(/^diff --git a\/(\S+)/gm)].map(([, name]) => name)).toEqual(["added.txt", "app.txt"]);
  });
});

async function token(scene: Scene, id: string): Promise<string> {
  return (await scene.ask("POST", `/api/sessions/${id}/token`)).body.token as string;
}

function everyByte(folder: string, but: readonly string[]): string {
  return readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => !but.includes(name))
    .map((entry) => {
      const path = join(entry.parentPath, entry.name);
      if (entry.isDirectory()) return everyByte(path, []);
      return entry.isFile() ? readFileSync(path, "latin1") : "";
    })
    .join("\n");
}
