// Serves `thehood web`: wires the page to the operations.
import { join } from "node:path";
import process from "node:process";
import type { OracleContext } from "../operations/oracle/index.ts";
import type { Ports, WebOptions } from "../operations/index.ts";
import { openerOf, PairedDevices, readPageFiles, serveWeb } from "../surfaces/web/index.ts";
import { clock, faultReport, lazy } from "../platform/system/index.ts";
import { readEnvironment, version, type Environment } from "./environment.ts";
import { createPorts } from "./ports.ts";
import { userProgram } from "./user-program.ts";

const webFolder = ({ stateDir }: Environment): string => join(stateDir, "web");

export const pairedDevices = (environment: Environment): PairedDevices =>
  new PairedDevices(join(webFolder(environment), "devices"), () => clock.now());

async function oracle(signal: AbortSignal): Promise<OracleContext> {
  const { readOnlyContext } = await import("./oracle/sessions.ts");
  return readOnlyContext(signal);
}

export async function runWeb({
  folder,
  runId,
  port,
  lan,
  pairedDays,
  notices,
  open,
  signal,
  terminal,
  lines,
}: WebOptions): Promise<void> {
  const environment = readEnvironment();
  const plain = createPorts(lazy(() => environment));
  const { createSharedRuns } = await import("../runtime/runs/repositories/index.ts");
  await using shared = createSharedRuns((at) => plain.runs(at));
  const find = (name: string) => userProgram(name, folder);
  const ports: Ports = { ...plain, runs: (at) => shared.open(at) };
  await serveWeb({
    deps: {
      ports,
      folder,
      version,
      files: readPageFiles(),
      spell: terminal,
      now: () => clock.now(),
      devices: pairedDevices(environment),
      oracle,
      fault: faultReport("thehood web"),
    },
    runId,
    port,
    lan,
    pairedDays,
    keep: webFolder(environment),
    notices: { ...notices, find },
    opener: open ? openerOf(process.platform, join(environment.stateDir, "open"), find) : null,
    signal,
    lines: process.stdin.isTTY ? lines : undefined,
    say: (line) => process.stderr.write(`${line}\n`),
  });
  process.exit(0);
}
