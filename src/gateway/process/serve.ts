// Serves a gateway until the signal fires, and writes its address to a file for the commands of the same user.
import { writeFileSync, rmSync, realpathSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fail, type Clock, type GatewayListening } from "../../core/contract/index.ts";
import { aborted, isLoopback } from "../../platform/http/index.ts";
import { findProgram } from "../../platform/sandbox/index.ts";
import type { SandboxProvider } from "../sandboxes/index.ts";
import { e2bSandboxes } from "../sandboxes/cloud/e2b.ts";
import { modalSandboxes } from "../sandboxes/cloud/modal.ts";
import { dockerSandboxes } from "../sandboxes/docker.ts";
import { localSandboxes } from "../sandboxes/local/provider.ts";
import type { GatewayServer } from "../http/server.ts";
import type { ModelEndpoints } from "../http/models.ts";
import { hostRule, type HostRule } from "../rules/index.ts";
import { openGateway, type GatewayOptions } from "./open.ts";
import { installedFile } from "../../platform/system/index.ts";

export interface ServeGateway extends GatewayListening {
  readonly folder: string;
  readonly endpoints: ModelEndpoints;
  readonly version: string;
  readonly clock: Clock;
  readonly log: (entry: Readonly<Record<string, unknown>>) => void;
  /** The search path for programs. */
  readonly path: string;
  readonly openStore?: GatewayOptions["openStore"];
  readonly keychain: GatewayOptions["keychain"];
  readonly signal: AbortSignal;
}

const runningFile = "running.json";

/** The agent's binary behind the links of a package manager: a sandbox gets this one file. */
function findOpencode(path: string): string | undefined {
  const found = findProgram("opencode", path);
  return found === undefined ? undefined : realpathSync(found);
}

const localFor =
  (folder: string, path: string, hosts: readonly HostRule[] = []) =>
  (accept: GatewayServer["accept"]): SandboxProvider =>
    localSandboxes({
      folder,
      path,
      init: initProgram(),
      node: process.execPath,
      opencode: findOpencode(path),
      accept,
      hosts,
    });

/** The name under which containers reach the gateway of their machine. */
const dockerHost = "host.docker.internal";

function sandboxesOf({
  provider,
  folder,
  path,
  image,
  publicUrl,
  allowHosts,
  port,
}: ServeGateway): (accept: GatewayServer["accept"]) => SandboxProvider {
  if (provider === "local") return localFor(folder, path, allowHosts.map(ruleOf));
  if (allowHosts.length > 0)
    fail("invalid_input", `--allow-host works with local sandboxes, not with those of ${provider}.`);
  if (provider === "e2b" || provider === "modal") {
    const options = { folder, image: named(image, provider), gatewayUrl: addressed(publicUrl, provider) };
    return () => (provider === "e2b" ? e2bSandboxes : modalSandboxes)(options);
  }
  const program =
    findProgram("docker", path) ??
    fail("provider_unavailable", "The docker program was not found.", {
      remedy: "Install Docker, or use --provider local.",
    });
  if (image === undefined || port === 0)
    return fail("invalid_input", "Docker sandboxes need an image and a fixed port.", {
      remedy: "Name them: --provider docker --image NAME --port 7467",
    });
  return () => dockerSandboxes({ program, image, gatewayUrl: `http://${dockerHost}:${port}` });
}

const ruleOf = (text: string): HostRule =>
  hostRule(text) ??
  fail("invalid_input", `"${text}" is not a host.`, {
    remedy: "Write a name, a name with a port, or *.name: --allow-host registry.npmjs.org",
  });

const named = (image: string | undefined, provider: string): string =>
  image ??
  fail("invalid_input", `Sandboxes of ${provider} need a template or an image.`, {
    remedy: `Name it: --provider ${provider} --image NAME --public-url https://…`,
  });

/** Callbacks carry a token, so they need TLS where they leave this machine. */
function addressed(publicUrl: string | undefined, provider: string): string {
  const url = URL.parse(publicUrl ?? "");
  if (url && (url.protocol === "https:" || isLoopback(url.hostname))) return url.href.replace(/\/+$/, "");
  return fail("invalid_input", `Sandboxes of ${provider} need an https address of the gateway.`, {
    remedy: "Put a proxy with TLS before the gateway, and name it: --public-url https://…",
  });
}

/** Yields its address, and serves until the signal fires. */
export async function* serveGateway(
  options: ServeGateway,
): AsyncGenerator<{ readonly url: string; readonly keys: string }> {
  const { folder, signal } = options;
  const publicName = URL.parse(options.publicUrl ?? "")?.hostname;
  const names = [
    ...(options.provider === "docker" ? [dockerHost] : []),
    ...(publicName === undefined ? [] : [publicName]),
  ];
  const opened = await openGateway({ ...options, sandboxes: sandboxesOf(options), names, toolCode, actionsCode });
  const file = join(folder, runningFile);
  writeFileSync(file, JSON.stringify({ url: opened.url, pid: process.pid }), { mode: 0o600 });
  yield { url: opened.url, keys: `in ${opened.keysAre}` };
  await aborted(signal);
  rmSync(file, { force: true });
  await opened.close();
}

/** The first program of a local sandbox. */
export const initProgram = (): string => installedFile("gateway-init.js", "src/gateway/in-sandbox/init.ts");

/** The text of the package that the tools of a sandbox import. */
export const toolCode = (): string => readFileSync(installedFile("gateway-tools.txt"), "utf8");

/** The text of the program `proliferate` in a sandbox. */
export const actionsCode = (): string => readFileSync(installedFile("gateway-actions.txt"), "utf8");

interface EndpointOptions {
  readonly endpoint: string | undefined;
  readonly anthropicEndpoint: string | undefined;
}

function modelUrl(url: string): string {
  const parsed = URL.parse(url);
  if (parsed && /^https?:$/.test(parsed.protocol) && parsed.username === "") return url.replace(/\/+$/, "");
  return fail("invalid_input", "A model endpoint must be an http or https address without a password.");
}

export function endpointsOf(
  { endpoint, anthropicEndpoint }: EndpointOptions,
  variables: Readonly<Record<string, string | undefined>>,
): ModelEndpoints {
  const openKey = variables["OPENAI_API_KEY"] || null;
  const anthropicKey = variables["ANTHROPIC_API_KEY"] || null;
  const base = variables["ANTHROPIC_BASE_URL"];
  const anthropic =
    anthropicEndpoint ??
    (base ? `${base.replace(/\/+$/, "")}/v1` : anthropicKey === null ? undefined : "https://api.anthropic.com/v1");
  const open = endpoint ?? variables["OPENAI_BASE_URL"] ?? (openKey === null ? undefined : "https://api.openai.com/v1");
  return {
    anthropic: anthropic === undefined ? undefined : { url: modelUrl(anthropic), key: anthropicKey },
    litellm: open === undefined ? undefined : { url: modelUrl(open), key: openKey },
  };
}
