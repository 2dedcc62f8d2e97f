// The first steps "With your agents", followed word by word with the real Codex and Claude Code, at every gate by hand.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { type AgentDesk, openAgentDesk } from "./governed.ts";
import { missing, titled } from "./installed.ts";

const page = readFileSync(resolve(import.meta.dirname, "../../docs/guides/first-steps.md"), "utf8");

/** The command lines of the section's first block. */
function commandsOfPage(): string[] {
  const section = page.split("## With your agents")[1] ?? "";
  const block = section.split("```")[1] ?? "";
  return block.split("\n").flatMap((line) => {
    const command = line.replace(/\s+#.*$/, "").trim();
    return command.startsWith("thehood ") ? [command] : [];
  });
}

/** Words as a shell reads them. */
const wordsOf = (command: string): string[] =>
  [...command.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, bare]) => quoted ?? bare ?? "").slice(1);

interface Standing {
  readonly state: string;
  readonly next: readonly { readonly kind: string; readonly command: string | null }[];
}

/** Does what the status says to do, until there is nothing to approve. */
async function approveAll(desk: AgentDesk): Promise<Standing> {
  for (let gates = 0; gates < 40; gates += 1) {
    const { runs } = (await desk.thehood(["status", "--json"])).json<{ runs: { runId: string }[] }>();
    const standing = (await desk.thehood(["status", runs[0]?.runId ?? "", "--json"])).json<Standing>();
    const approve = standing.next.find(({ kind }) => kind === "continue_with_approval")?.command;
    if (!approve) return standing;
    await desk.thehood([...wordsOf(approve), "--json"]);
  }
  throw new Error("there was no end of gates");
}

describe.skipIf(missing("codex", "claude"))(titled("the first steps with real agents", "codex", "claude"), () => {
  it("[R-26] each command does what it says, and the run ends in verified work", async () => {
    const commands = commandsOfPage();
    expect(commands.map((command) => command.split(" ")[1])).toEqual(["doctor", "teams", "run"]);
    const desk = await openAgentDesk({
      roles: {
        implementer: [
          {
            actions: [
              {
                do: "replace",
                path: "src/add.js",
                from: "export const add = (a, b) => a - b;",
                to: "export const add = (a, b) => a + b;",
              },
            ],
            answer: { payload: { changedFiles: ["src/add.js"] } },
          },
        ],
      },
    });
    // The user's own Codex has a model that the scripted one can play.
    mkdirSync(join(desk.home, ".codex"));
    writeFileSync(join(desk.home, ".codex/config.toml"), 'model = "gpt-5.5"\n');
    const [doctor, teams, run] = commands.map(wordsOf);
    const healthy = await desk.thehood(doctor ?? []);
    expect(healthy.code, healthy.out).toBe(0);
    expect(healthy.out).toMatch(/codex-cli ✔ login found/);
    expect((await desk.thehood(teams ?? [])).code).toBe(0);
    const started = await desk.thehood(run ?? []);
    expect(started.code, started.err).toBe(3);
    const done = await approveAll(desk);
    expect(done.state, JSON.stringify(done)).toBe("completed");
    expect(readFileSync(join(desk.repo.dir, "src/add.js"), "utf8")).toContain("a + b");
    const roles = new Map(desk.requests().map(({ role, wire }) => [role, wire]));
    expect(roles.get("implementer")).toBe("responses");
    expect(roles.get("verifier")).toBe("messages");
  });
});
