// An endpoint provider on a scripted server, a call for it, and a small repository to read.
import { mkdtempSync, realpathSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type AskedRole,
  type ProviderAnswer,
  type ProviderCall,
  type ProviderPort,
  type ProvidersInput,
} from "../../src/core/contract/index.ts";
import { readToolsOf } from "../../src/app/repository-reader.ts";
import { gitIn, writeFiles } from "./repository.ts";
import { providerCall } from "./provider-call.ts";
import { createEndpoints } from "../../src/agents/api/roles/endpoints.ts";
import { ApiServer, type Play, type Seen } from "./api-server.ts";

export const apiKey = ["sk", "test", "0123456789abcdef"].join("-");

/** The three forms of speech, each as the provider that speaks it. */
export const spoken = [
  { id: "openai-api", path: "/v1", model: "gpt-5.5" },
  { id: "anthropic-api", path: "", model: "claude-opus-5-5" },
  { id: "ollama", path: "/v1", model: "coder" },
] as const;
export type Spoken = (typeof spoken)[number];

export const settingsFor = ({ id }: Pick<Spoken, "id">, baseUrl: string): ProvidersInput => ({
  [id]:
    id === "ollama"
      ? {
          kind: "openai-compatible",
          baseUrl,
          apiKeyEnv: "OLLAMA_API_KEY",
          models: { coder: "qwen3-coder:30b" },
        }
      : { baseUrl },
});

/** Waits are recorded, not waited for. */
export function quickPace() {
  const pauses: number[] = [];
  return { pauses, now: () => 0, chance: () => 0, pause: async (ms: number) => void pauses.push(ms) };
}

/** The reads of a user without rules of their own about secrets. */
export const openReads = readToolsOf(() => Promise.resolve({}));

export function endpoint(
  id: string,
  settings: ProvidersInput,
  more: Partial<Parameters<typeof createEndpoints>[1]> = {},
): ProviderPort {
  const host = {
    variables: { OPENAI_API_KEY: apiKey, ANTHROPIC_API_KEY: apiKey, OLLAMA_API_KEY: apiKey },
    pace: quickPace(),
    openReads,
    ...more,
  };
  const found = createEndpoints(settings, host).find((port) => port.id === id);
  if (!found) throw new Error(`there is no ${id}`);
  return found;
}

export function repository(files: Readonly<Record<string, string>>): string {
  const top = realpathSync(mkdtempSync(join(tmpdir(), "endpoint-")));
  writeFiles(top, files);
  const git = gitIn(top);
  git("init", "-q", "-b", "main");
  git("add", "-Af");
  git("commit", "-qm", "base");
  return top;
}

export function callFor(role: AskedRole, dir: string | null, more: Partial<ProviderCall> = {}): ProviderCall {
  const { ack } = providerCall(role);
  return providerCall(role, {
    prompt: `{"directive":"${role}","marker":"${ack.marker}"}\n`,
    workspace: { mode: dir === null ? "none" : role === "implementer" ? "worktree" : "read_only", dir },
    ...more,
  });
}

export async function sendTo(
  provider: ProviderPort,
  call: ProviderCall,
  signal: AbortSignal = new AbortController().signal,
): Promise<ProviderAnswer> {
  return (await provider.send(call, signal)).answer;
}

export const serve = (plays: Play[]): Promise<ApiServer> => ApiServer.start(plays);

export const bodyOf = (seen: Seen | undefined): Record<string, unknown> => seen?.body ?? {};
