// Serves a gateway until the signal fires, and says on the disk where it is, for the commands of the same user.
import { writeFileSync, rmSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { fail, type Clock } from "../../contract/index.ts";
import { findProgram } from "../../sandbox/index.ts";
import type { BoxProvider } from "../boxes/index.ts";
import { dockerBoxes } from "../boxes/docker/index.ts";
import { localBoxes } from "../boxes/local/index.ts";
import type { GatewayServer, ModelEndpoints } from "../http/index.ts";
import { initProgram, toolCode } from "./built.ts";
import { aborted } from "./aborted.ts";
import { openGateway } from "./open.ts";

export interface ServeGateway {
  readonly folder: string;
  readonly host: string;
  readonly port: number;
  readonly remote: boolean;
  readonly provider: "local" | "docker";
  readonly image: string | undefined;
  readonly endpoints: ModelEndpoints;
  readonly version: string;
  readonly clock: Clock;
  readonly log: (entry: Readonly<Record<string, unknown>>) => void;
  /** Where programs are looked for. */
  readonly path: string;
  readonly signal: AbortSignal;
}

export const runningFile = "running.json";

/** The agent's own binary behind the links of a package manager: a box gets this one file. */
export function findOpencode(path: string): string | undefined {
  const found = findProgram("opencode", path);
  return found === undefined ? undefined : realpathSync(found);
}

export const localFor =
  (folder: string, path: string) =>
  (accept: GatewayServer["accept"]): BoxProvider =>
    localBoxes({
      folder,
      path,
      init: initProgram(),
      node: process.execPath,
      opencode: findOpencode(path),
      accept,
    });

/** Containers reach the gateway of their machine by this name. */
const dockerHost = "host.docker.internal";

function boxesOf({
  provider,
  folder,
  path,
  image,
  port,
}: ServeGateway): (accept: GatewayServer["accept"]) => BoxProvider {
  if (provider === "local") return localFor(folder, path);
  const program =
    findProgram("docker", path) ??
    fail("provider_unavailable", "The docker program was not found.", {
      remedy: "Install Docker, or use --provider local.",
    });
  if (image === undefined || port === 0)
    return fail("invalid_input", "Docker sandboxes need an image and a fixed port.", {
      remedy: "Name them: --provider docker --image NAME --port 7467",
    });
  return () => dockerBoxes({ program, image, gatewayUrl: `http://${dockerHost}:${port}` });
}

/** Says where it listens, and serves until the signal fires. */
export async function* serveGateway(options: ServeGateway): AsyncGenerator<{ readonly url: string }> {
  const { folder, signal } = options;
  const names = options.provider === "docker" ? [dockerHost] : [];
  const opened = await openGateway({ ...options, boxes: boxesOf(options), names, toolCode });
  const file = join(folder, runningFile);
  writeFileSync(file, JSON.stringify({ url: opened.url, pid: process.pid }), { mode: 0o600 });
  yield { url: opened.url };
  await aborted(signal);
  rmSync(file, { force: true });
  await opened.close();
}
