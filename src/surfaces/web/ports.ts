// The port of the page stays the same from start to start, so that a bookmark works and a paired browser finds its key: a browser
// keeps what it stores by address and port.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { FailureError, systemCode } from "../../core/contract/index.ts";
import type { Listening } from "../../platform/http/index.ts";
import { makeFolders, writeDurably } from "../../platform/system/index.ts";

export interface UsualPort {
  readonly server: Listening;
  /** Whether it is the port of every start; on another one nothing is paired. */
  readonly usual: boolean;
}

function remembered(path: string): number {
  try {
    const port = Number(readFileSync(path, "utf8"));
    return Number.isInteger(port) && port > 0 && port < 65_536 ? port : 0;
  } catch (error) {
    if (systemCode(error) === "ENOENT") return 0;
    throw error;
  }
}

/** Listens on the wanted port, or on the one of last time, or on a free one where another program has that. */
export async function listenAsUsual(
  folder: string,
  name: string,
  wanted: number,
  listen: (port: number) => Promise<Listening>,
): Promise<UsualPort> {
  const path = join(folder, name);
  const before = remembered(path);
  const port = wanted || before;
  const server = await listen(port).catch((error: unknown) => {
    if (wanted !== 0 || port === 0 || !(error instanceof FailureError)) throw error;
    return listen(0);
  });
  const usual = port === 0 || server.port === port;
  if (usual && server.port !== before) {
    makeFolders(folder);
    writeDurably(path, `${path}.${process.pid}.new`, Buffer.from(`${server.port}\n`), 0o600);
  }
  return { server, usual };
}
