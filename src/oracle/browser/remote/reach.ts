// The browser of another machine: a connection to its `oracle serve` over TLS, or to one that SSH starts there.
import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { hostname } from "node:os";
import { basename } from "node:path";
import { Duplex } from "node:stream";
import { fail } from "../../../core/contract/index.ts";
import { startProgram } from "../../../platform/system/index.ts";
import { KeeperLink, RefusedError } from "../process/connect.ts";
import { remoteProtocol } from "./relay.ts";
import { secureConnection } from "./secure.ts";
import { givenToken } from "./token.ts";

const usualPort = 9473;
/** SSH may have to look up a host and start a program there. */
const helloMs = 40_000;

export type RemoteTarget =
  | { readonly kind: "tls"; readonly host: string; readonly port: number }
  | { readonly kind: "ssh"; readonly host: string; readonly port: number | null };

/** A name that a program could take for an option is refused. */
const hostForm = /^(?:[\w.-]+@)?(?:\[[\da-f:]+\]|[\w][\w.-]*)$/i;

export function remoteTarget(given: string): RemoteTarget {
  const [, scheme = "", host = "", port] = /^(ssh:\/\/)?([^/]*?)(?::(\d{1,5}))?\/?$/.exec(given.trim()) ?? [];
  const isSsh = scheme !== "";
  if (!hostForm.test(host) || host.startsWith("-") || (!isSsh && host.includes("@")) || Number(port ?? 0) > 65_535)
    return fail("invalid_input", `--remote ${given} names no machine.`, {
      remedy: "Use HOST:PORT of its oracle serve, or ssh://HOST",
    });
  if (isSsh) return { kind: "ssh", host, port: port === undefined ? null : Number(port) };
  return { kind: "tls", host: host.replaceAll(/[[\]]/g, ""), port: port === undefined ? usualPort : Number(port) };
}

export interface RemoteDeps {
  readonly token: string | undefined;
  readonly ssh: string | undefined;
  /** The variables that ssh needs. */
  readonly environment: Readonly<Record<string, string>>;
}

/** A link whose files are put on the other machine first. */
class RemoteLink extends KeeperLink {
  readonly #placed = new Map<string, string>();

  override async place(files: readonly string[]): Promise<readonly string[]> {
    const placed: string[] = [];
    for (const path of files) {
      const known = this.#placed.get(path) ?? (await this.#put(path));
      this.#placed.set(path, known);
      placed.push(known);
    }
    return placed;
  }

  async #put(path: string): Promise<string> {
    const base64 = readFileSync(path).toString("base64");
    return String((await this.ask({ ask: "file", name: basename(path), base64 }))["path"]);
  }
}

const unreachable = (given: string, why: string, remedy?: string): never =>
  fail("browser_gone", `The browser at ${given} cannot be reached: ${why.replace(/\.+$/, "")}.`, {
    remedy:
      remedy ??
      "Is oracle serve running there, with this address and with the token that ORACLE_REMOTE_TOKEN holds? " +
        "Over SSH: does this work: ssh HOST oracle --version",
  });

interface Said {
  readonly why: string;
  readonly remedy?: string;
}

/** What SSH or the program over there printed last: its problem, and the remedy below it, which is for that machine. */
export function lastSaid(printed: string): Said {
  const lines = printed
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
  const at = lines.findLastIndex((line) => !line.startsWith("→"));
  const why = (lines[at] ?? "ssh ended").replace(/^oracle: /, "");
  const remedy = lines[at + 1]?.replace(/^→\s*/, "");
  return remedy === undefined ? { why } : { why, remedy: `On that machine: ${remedy}` };
}

function sshStream(
  { ssh, environment }: RemoteDeps,
  host: string,
  port: number | null,
): { stream: Duplex; child: ChildProcess } {
  if (ssh === undefined)
    return fail("browser_missing", "There is no ssh on this machine.", { remedy: "Install it, or use HOST:PORT." });
  const args = ["-T", "-o", "BatchMode=yes", ...(port === null ? [] : ["-p", String(port)]), "--", host];
  const child = startProgram(() =>
    spawn(ssh, [...args, "oracle serve --stdio"], { env: { ...environment }, stdio: ["pipe", "pipe", "pipe"] }),
  );
  const { stdin, stdout } = child;
  if (stdin === null || stdout === null) throw new TypeError("ssh without streams");
  const stream = Duplex.from({ readable: stdout, writable: stdin });
  stream.on("close", () => child.kill());
  return { stream, child };
}

async function streamTo(
  given: string,
  target: RemoteTarget,
  deps: RemoteDeps,
): Promise<{ stream: Duplex; said: () => Said }> {
  if (target.kind === "tls") {
    const token = givenToken(deps.token);
    try {
      return {
        stream: await secureConnection(target.host, target.port, token),
        said: () => ({ why: "it closed the connection" }),
      };
    } catch (error) {
      return unreachable(given, error instanceof Error ? error.message : String(error));
    }
  }
  const { stream, child } = sshStream(deps, target.host, target.port);
  let printed = "";
  child.stderr?.on("data", (chunk: Buffer) => (printed = `${printed}${chunk.toString("utf8")}`.slice(-1_000)));
  child.on("error", (error) => (printed = error.message));
  return { stream, said: () => lastSaid(printed) };
}

export interface Reached {
  readonly link: KeeperLink;
  readonly loggedIn: readonly string[];
}

export async function reachRemote(given: string, deps: RemoteDeps): Promise<Reached> {
  const { stream, said } = await streamTo(given, remoteTarget(given), deps);
  const link = new RemoteLink(stream);
  const timer = setTimeout(() => link.close(), helloMs);
  try {
    const { loggedIn } = await link.ask({ ask: "hello", protocol: remoteProtocol, host: hostname() });
    return { link, loggedIn: loggedIn as string[] };
  } catch (error) {
    link.close();
    if (!(error instanceof RefusedError)) throw error;
    const { why, remedy } = error.message === "keeper" ? said() : { why: error.message };
    return unreachable(given, why, remedy);
  } finally {
    clearTimeout(timer);
  }
}
