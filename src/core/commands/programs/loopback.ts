// Requests to this machine's own loopback. In a sandbox without network, loopback is that of the sandbox: only programs that
// were started in it answer there.
import type { Arg, CommandCall } from "../call.ts";
import { splitWords } from "./build.ts";

/** The host is decided before the first slash; an unknown part can only follow it. */
const loopbackUrl =
  /^(?:https?:\/\/)?(?:localhost|127\.0\.0\.1|0\.0\.0\.0|\[::1\])(?::(\d{1,5}))?(?:[/?#\uE002].*)?$/is;

/** Ports at which a service takes orders for the whole machine: containers, clusters, a browser's debugger. */
const controlPorts = new Set(splitWords("2375 2376 2379 2380 4243 6443 9222 9229 10250 10255"));

function isLoopbackUrl({ text }: Arg): boolean {
  const found = loopbackUrl.exec(text);
  return found !== null && !controlPorts.has(found[1] ?? "");
}

interface Request {
  readonly options: readonly { readonly name: string }[];
  readonly rest: readonly Arg[];
}

/** Whether the request stays in the sandbox: every target is loopback, and every option is one of `plain`. */
export function staysInSandbox(call: CommandCall, { options, rest }: Request, plain: readonly string[]): boolean {
  if (call.where !== "worktree" || rest.length === 0) return false;
  return rest.every(isLoopbackUrl) && options.every(({ name }) => plain.includes(name));
}

/** `nc -z localhost 5432` only looks whether someone listens. */
export function probesSandbox(call: CommandCall): boolean {
  const line = call.args.map(({ text }) => text).join(" ");
  const port = /^(?:-[46nvz]+ |-w ?\d+ )+(?:localhost|127\.0\.0\.1|::1) (\d{1,5})$/.exec(line)?.[1];
  return call.where === "worktree" && /(^| )-[46nv]*z/.test(line) && port !== undefined && !controlPorts.has(port);
}

export const reachesSandbox = (call: CommandCall) =>
  call.report("local_write", `${call.name} reaches only programs inside the sandbox`);
