// One row of the table of agent programs against every table that follows from it, and against the rules that name
// programs by patterns: a new row that is incomplete, or that a table lacks, fails here by its name.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { scriptedPrograms } from "./agents/scripted.ts";
import { makeRepository } from "./support/repository.ts";
import { agentIds, agentPrograms } from "../src/agents/index.ts";
import { ownFolders } from "../src/agents/acp/provider.ts";
import { credentialIn, steers } from "../src/core/commands/paths/credentials.ts";
import { type AgentProgramRow, agentNames, agentProgramRows, configKeys } from "../src/core/contract/index.ts";
import { teamPresets } from "../src/core/crew/team-table.ts";
import { byOrder, vendorOf } from "../src/core/crew/agent.ts";
import { classifyPath } from "../src/core/patch/index.ts";
import { mcpConfig } from "../src/operations/hosts/mcp.ts";
import { isSecretPath } from "../src/platform/paths/index.ts";
import { hiddenInHome } from "../src/platform/sandbox/hidden-paths.ts";
import { hosts } from "../src/surfaces/host-config/table.ts";
import { inspectRepository } from "../src/workspace/inspect/index.ts";

const rows: readonly AgentProgramRow[] = agentProgramRows;
const pins = JSON.parse(readFileSync(join(import.meta.dirname, "agents/programs.json"), "utf8")) as {
  readonly bin: string;
  readonly package: string;
}[];

describe.each(rows)("the row of $id", (row) => {
  it("is complete", () => {
    for (const list of [row.models, row.home, row.ownFiles, row.acp, row.instructions])
      expect(list.length).toBeGreaterThan(0);
    for (const text of [row.program, row.install, row.folder, row.servers, row.host]) expect(text).not.toBe("");
    expect(row.vendor).not.toBe("");
    expect(row.folder).toMatch(/^\.[\w-]+$/);
    expect(row.models).toContain("default");
  });

  it("is a provider with a pinned program", () => {
    const program = agentPrograms.find(({ id }) => id === row.id);
    expect(program).toMatchObject({ program: row.program, install: row.install });
    expect(agentIds, `${row.id} in agentPrograms of src/agents/cli/provider.ts`).toContain(row.id);
    const pin = pins.find(({ bin }) => bin === row.program);
    expect(row.install, `${row.program} in tests/agents/programs.json`).toBe(`npm install -g ${pin?.package}`);
  });

  it("joins the conformance suite with a scripted model", () => {
    const scripted = scriptedPrograms.find(({ id }) => id === row.id);
    expect(scripted?.bin, `${row.id} in scriptedPrograms of tests/agents/scripted.ts`).toBe(row.program);
  });

  it("has a rank, a vendor, a place in a team and completions", () => {
    const agent = { id: row.id, models: [] } as unknown as Parameters<typeof byOrder>[0][number];
    const other = { ...agent, id: "another" };
    expect(byOrder([other, agent])[0]).toBe(agent);
    expect(vendorOf(agent)).toBe(row.vendor ?? row.id);
    const teams = teamPresets.flatMap(({ roles }) => Object.values(roles));
    expect(
      teams.some((role) => role.startsWith(`${row.id}:`)),
      `${row.id} in a team of src/core/crew/team-table.ts`,
    ).toBe(true);
    expect(agentNames).toEqual(expect.arrayContaining(row.models.map((model) => `${row.id}:${model}`)));
    expect(configKeys).toContain(`providers.${row.id}.program`);
  });

  it("keeps its login from other programs, and a command that reads it asks", () => {
    const [login = ""] = row.ownFiles;
    expect(row.home.some((path) => login.startsWith(`${path}/`))).toBe(true);
    for (const path of row.home) expect(hiddenInHome).toContain(path);
    expect(credentialIn(`/home/ann/${login}`)).toBe("agent logins");
    expect(credentialIn(`~/${login}`)).toBe("agent logins");
    expect(isSecretPath(`home/ann/${login}`)).toBe(true);
  });

  it("is steered only by files that a patch, a command and an inspection ask about", () => {
    const files = [row.servers, `${row.folder}/settings.json`, ...row.instructions];
    for (const path of files) {
      expect(classifyPath(path), `${path} in src/core/patch/classify/rules.ts`).toMatchObject({
        executes: true,
        kinds: expect.arrayContaining(["agent"]),
      });
      expect(classifyPath(`sub/${path}`).executes, path).toBe(true);
    }
    expect(steers(`${row.folder}/settings.json`)).toBe("agent settings");
    for (const path of row.instructions) expect(steers(path)).toBe("instructions for agents");
    const { dir, remove } = makeRepository(Object.fromEntries(files.map((path) => [path, "{}\n"])));
    try {
      const found = inspectRepository(dir).findings.flatMap(({ kind, path }) =>
        kind === "agent_instructions" ? [path] : [],
      );
      expect(found, "src/workspace/inspect/rules/instructions.ts").toEqual(
        expect.arrayContaining([...row.instructions]),
      );
    } finally {
      remove();
    }
  });

  it("is a host, and its ACP programs find its login", () => {
    const host = hosts.find(({ name }) => name === row.host);
    const places = { home: "/home/ann", repo: "/repo", platform: "linux", variables: {} };
    expect(host?.file("project", places), `${row.host} in src/surfaces/host-config/table.ts`).toBe(
      `/repo/${row.servers}`,
    );
    const { help } = mcpConfig.input.host;
    expect(help, "the words of the field host of mcp config").toContain(row.host);
    for (const program of row.acp) {
      const own = ownFolders({ home: "/home/ann", variables: {}, settings: { program } });
      expect(own.map(({ path }) => path)).toEqual(row.ownFiles.map((path) => `/home/ann/${path}`));
    }
  });
});
