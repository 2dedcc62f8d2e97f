// Serves `thehood mcp`: the standard streams, or loopback HTTP.
import { existsSync, realpathSync, statSync } from "node:fs";
import { sep } from "node:path";
import process from "node:process";
import { fail } from "../../contract/index.ts";
import type { Given, ServeOptions } from "../../operations/index.ts";
import { createService, serveLines, type McpWorld } from "../../surfaces/mcp/index.ts";
import { createGiven } from "../given.ts";
import { lazy } from "../../system/index.ts";
import { faultReport } from "../io.ts";
import { version } from "../version.ts";
import { trustedEnvironment } from "./trust.ts";

function realRoots(roots: readonly string[]): string[] {
  return roots.map((root) => {
    const found = statSync(root, { throwIfNoEntry: false });
    if (!found?.isDirectory())
      fail("invalid_input", `There is no folder ${root}.`, {
        remedy: "Give existing folders with --repo and --root.",
      });
    const real = realpathSync(root);
    // An agent that works for a run may have us in its configuration too.
    if (real.split(sep).includes(".thehood"))
      fail("permission_denied", `${root} belongs to a run: who works in it does not drive runs.`, {
        remedy: "Start the server in the repository itself.",
      });
    return real;
  });
}

/** A host that has no project open may start us at home, or at the top of everything: that is nobody's repository. */
function refuseEverything(root: string, home: string): void {
  const real = existsSync(home) ? realpathSync(home) : home;
  if (real !== root && !real.startsWith(root.endsWith(sep) ? root : root + sep)) return;
  fail("invalid_input", `The server was started in ${root}, which holds your whole home folder.`, {
    remedy: "Start it in a repository, or name one: thehood mcp --repo DIR",
  });
}

export async function serveMcp(options: ServeOptions): Promise<void> {
  const roots = realRoots(options.roots);
  const environment = trustedEnvironment(roots);
  if (!options.named) refuseEverything(roots[0] ?? sep, environment.home);
  // What the detached runner inherits is no wider than what we allow ourselves.
  delete process.env["THEHOOD_ALLOW_DIRECT_EDIT"];
  const plain = createGiven(lazy(() => environment));
  let close = async (): Promise<void> => undefined;
  const desks = lazy(async () => {
    const { createDesks } = await import("./desks.ts");
    const made = createDesks((folder) => plain.runs(folder));
    close = async () => made[Symbol.asyncDispose]();
    return made;
  });
  const given: Given = { ...plain, runs: async (folder) => (await desks()).open(folder) };
  const world: McpWorld = {
    given,
    version,
    roots,
    fault: faultReport("thehood mcp"),
    terminal: options.terminal,
  };
  try {
    if (options.http) await serveHttp(world, options.http, options.signal, environment.stateDir);
    else
      await serveLines(
        createService(world),
        { input: process.stdin, output: process.stdout },
        options.signal,
      );
  } finally {
    await close();
  }
  // Everything was told; a look that has not come to its end must not keep the program.
  process.exit(0);
}

async function serveHttp(
  world: McpWorld,
  { host, port, remote, keepToken }: NonNullable<ServeOptions["http"]>,
  signal: AbortSignal,
  stateDir: string,
): Promise<void> {
  const { isLoopback, listen } = await import("../../surfaces/mcp/wire/http/index.ts");
  if (!isLoopback(host) && !remote)
    fail("permission_denied", `${host} is not loopback: other machines could reach the server.`, {
      remedy: "Use 127.0.0.1, or say --allow-remote if that is what you want.",
    });
  const { keptToken, newToken } = await import("./token.ts");
  const token = keepToken ? keptToken(stateDir) : newToken();
  const names = isLoopback(host) ? [] : [host];
  const server = await listen(createService(world), { host, port, guard: { token, names } }).catch(
    (error: unknown) =>
      fail(
        "invalid_input",
        `Cannot listen on ${host}:${port}: ${error instanceof Error ? error.message : String(error)}.`,
        {
          remedy: "Choose another --port; 0 takes a free one.",
        },
      ),
  );
  process.stderr.write(`thehood mcp: listening on ${server.url}\nthehood mcp: token ${token}\n`);
  await new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
  await server.close();
}
