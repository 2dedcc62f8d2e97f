// One real agent program against one scripted model, in one process with the test.
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import process from "node:process";
import type { ProviderCall, ProviderPort } from "../../src/core/contract/index.ts";
import { type AgentDeps, agentPrograms, createAcp, createAgentProgram } from "../../src/agents/index.ts";
import type { Scene, SceneMaker } from "../support/conformance/index.ts";
import { createCommandRunner, type RunnerOptions } from "../../src/platform/sandbox/index.ts";
import { binDir } from "./installed.ts";
import { type ModelServer, type Part, serveModel } from "./models/index.ts";
import { layFiles, type Scripted } from "./scripted.ts";
import { removeFolder } from "../support/remove-folder.ts";

export interface AgentScene extends Scene {
  readonly server: ModelServer;
  readonly home: string;
}

const path = `${binDir}:${dirname(process.execPath)}:${process.env["PATH"] ?? ""}`;

function providerOf(id: string, host: AgentDeps): ProviderPort {
  if (host.settings?.kind === "acp") return createAcp(id, host);
  const program = agentPrograms.find((one) => one.id === id);
  if (!program) throw new Error(`there is no agent program ${id}`);
  return createAgentProgram(program, host);
}

/** The program as a user has it installed, with a home of its own that is removed afterwards. */
export async function openScene(
  scripted: Scripted,
  part: Part,
  runner: RunnerOptions = {},
  host: Partial<AgentDeps> = {},
): Promise<AgentScene> {
  const server = await serveModel(scripted.wire, () => part);
  const home = mkdtempSync(join(tmpdir(), "thehood-agent-home-"));
  const variables = { PATH: path, ...scripted.variables(server.url) };
  layFiles(home, scripted, server.url);
  const provider = providerOf(scripted.id, {
    runner: createCommandRunner({ environment: variables, home, ...runner }),
    home,
    variables,
    settings: scripted.settings(server.url),
    ...host,
  });
  return {
    server,
    home,
    provider,
    model: scripted.model,
    reached: () => server.reached(),
    asked: () => server.seen.length,
    async close() {
      await server[Symbol.asyncDispose]();
      removeFolder(home);
    },
  };
}

export const playing =
  (scripted: Scripted, part: Part, host: Partial<AgentDeps> = {}): SceneMaker =>
  (_call: ProviderCall) =>
    openScene(scripted, part, {}, host);
