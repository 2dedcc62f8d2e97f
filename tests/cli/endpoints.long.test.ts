// A governed run by a model elsewhere: one gate for each message.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { crew, everything, key, markersIn, model, models, scene, secret, thehood } from "./endpoints-scene.ts";

describe("a governed run by models behind endpoints", () => {
  it("[R-65] elsewhere: nothing is sent before each manifest is approved, and each says what may be read", async () => {
    const cloud = {
      kind: "openai-compatible",
      baseUrl: "http://models.example/v1",
      apiKeyEnv: "CLOUD_KEY",
      models,
    };
    const { server, desk } = await scene(() => ({ cloud }), model());
    const env = { HTTP_PROXY: server.origin, CLOUD_KEY: key };
    let ran = await thehood(desk, ["run", "make add() add", "--json", ...crew("cloud")], env);
    const phrases: string[] = [];
    const shown: string[] = [];
    const previews: object[] = [];
    const sentBefore: number[] = [];
    for (let steps = 0; steps < 40 && ran.code === 3; steps += 1) {
      const { gate } = JSON.parse(ran.out) as {
        gate: { kind: string; phrase: string | null; sha256: string };
      };
      if (gate.kind.endsWith("external_transfer")) {
        sentBefore.push(markersIn(server).length);
        phrases.push(gate.phrase ?? "");
        shown.push((await thehood(desk, ["show", "--json"], env)).out);
        previews.push(JSON.parse((await thehood(desk, ["transfer", "preview", "--json"], env)).out) as object);
      }
      ran = await thehood(
        desk,
        ["approve", "--json", "--shown", gate.sha256, ...(gate.phrase === null ? [] : ["--message", gate.phrase])],
        env,
      );
    }
    expect(ran.code, ran.out + ran.err).toBe(0);
    expect(new Set(phrases)).toEqual(
      new Set(["invoke cloud; send repo context to cloud", "send run evidence to cloud"]),
    );
    // The preview is of the manifest that waits, and of no earlier one.
    expect(previews).toMatchObject(
      phrases.map((phrase) => ({
        waits: true,
        manifest: { destination: { provider: "cloud" }, approvalPhrase: phrase.replace("invoke cloud; ", "") },
      })),
    );
    expect(new Set(previews.map((preview) => JSON.stringify(preview))).size).toBe(previews.length);
    expect(markersIn(server)).toHaveLength(phrases.length);
    expect(phrases.length).toBeGreaterThanOrEqual(5);
    // Each gate came before the message it asked about, and told how much may be sent.
    expect(sentBefore).toEqual(phrases.map((_, index) => index));
    expect(shown.filter((text) => !text.includes("up to 100000 bytes"))).toEqual([]);
    expect(readFileSync(join(desk.repo.dir, "src/add.js"), "utf8")).toContain("a + b");
    const sent = JSON.stringify(server.seen.map(({ body }) => body));
    expect(sent).toContain("looks like a secret");
    for (const hidden of [secret, key]) expect(sent).not.toContain(hidden);
    expect(everything(join(desk.repo.dir, ".thehood"))).not.toContain(key);
  });
});
