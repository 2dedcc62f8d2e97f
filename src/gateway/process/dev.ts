// A gateway for programs and tests: a free loopback port, a temporary database, no agent, and the tokens on one line.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fail } from "../../core/contract/index.ts";
import { aborted } from "../../platform/http/index.ts";
import { folderSandboxes } from "../sandboxes/index.ts";
import { sessionKinds, type SessionKind } from "../rules/index.ts";
import { openGateway, type GatewayOptions, type OpenGateway } from "./open.ts";

interface DevGateway {
  readonly url: string;
  readonly adminToken: string;
  readonly sessions: Readonly<Record<string, { readonly token: string }>>;
}

const kinds = [...sessionKinds, "ended"] as const;

/** Parses `s1=coding` into an id and a kind. */
function parseSession(text: string): { id: string; kind: SessionKind | "ended" } {
  const at = text.lastIndexOf("=");
  const [id, kind] = [text.slice(0, at), kinds.find((one) => one === text.slice(at + 1))];
  if (at < 1 || kind === undefined)
    return fail("invalid_input", `"${text}" is not a session.`, {
      remedy: `Write ID=KIND, with one of ${kinds.join(", ")}.`,
    });
  return { id, kind };
}

type DevOptions = Pick<GatewayOptions, "version" | "clock" | "log" | "limits"> & {
  readonly port: number;
  readonly sessions: readonly string[];
  readonly folder?: string;
};

export interface OpenDev extends OpenGateway {
  readonly output: DevGateway;
  /** Serves until the signal fires, then removes everything. */
  until(signal: AbortSignal): Promise<void>;
}

export async function openDev(options: DevOptions): Promise<OpenDev> {
  const requested = options.sessions.map(parseSession);
  const folder = options.folder ?? mkdtempSync(join(tmpdir(), "thehood-gateway-dev-"));
  const opened = await openGateway({
    ...options,
    folder,
    host: "127.0.0.1",
    remote: false,
    sandboxes: () => folderSandboxes(folder),
    endpoints: { anthropic: undefined, litellm: undefined },
    toolCode: () => "",
    openRuns: true,
  });
  const { gateway } = opened;
  if (!(await gateway.deps.store.configuration("dev")))
    await gateway.addConfiguration({ id: "dev", name: "dev" }, "dev");
  const sessions: Record<string, { token: string }> = {};
  for (const { id, kind } of requested) {
    const session =
      (await gateway.deps.store.session(id)) ??
      (await gateway.sessions.create(
        {
          id,
          kind: kind === "ended" ? "coding" : kind,
          configurationId: "dev",
          model: "claude-sonnet-4.6",
          start: true,
        },
        "dev",
      ));
    sessions[id] = { token: gateway.sandboxToken(session) };
    if (kind === "ended") await gateway.sessions.stop(id);
  }
  const close = async (): Promise<void> => {
    await opened.close();
    if (options.folder === undefined) rmSync(folder, { recursive: true, force: true });
  };
  return {
    ...opened,
    output: { url: opened.url, adminToken: opened.adminToken, sessions },
    close,
    async until(signal) {
      await aborted(signal);
      await close();
    },
  };
}
