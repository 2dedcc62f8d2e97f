// What `oracle doctor` looks at: enough to say why a run would not start, without sending anything.
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { spawnSync } from "node:child_process";
import { FailureError } from "../../contract/index.ts";
import type { DoctorLine } from "../../contract/transport/index.ts";
import { readOracleConfigs } from "../../config/index.ts";

function homeLine(home: string): DoctorLine {
  const name = "home folder";
  const probe = join(home, `.doctor-${process.pid}`);
  try {
    mkdirSync(home, { recursive: true, mode: 0o700 });
    writeFileSync(probe, "", { mode: 0o600 });
    return { name, state: "ok", detail: home };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return { name, state: "missing", detail: `${home} cannot be written: ${why}` };
  } finally {
    rmSync(probe, { force: true });
  }
}

function configLine(home: string, cwd: string): DoctorLine {
  const name = "config";
  try {
    const { user, project } = readOracleConfigs(home, cwd);
    const keys = Object.keys(user).length + Object.keys(project).length;
    return { name, state: "ok", detail: `${keys} settings` };
  } catch (error) {
    if (!(error instanceof FailureError)) throw error;
    return { name, state: "missing", detail: error.failure.message };
  }
}

function gitLine(): DoctorLine {
  const found = spawnSync("git", ["--version"], { encoding: "utf8" });
  return found.status === 0
    ? { name: "git", state: "ok", detail: found.stdout.trim() }
    : { name: "git", state: "warning", detail: "not found; needed for --apply-mode check, apply and commit" };
}

function keyLine(name: string): DoctorLine {
  return process.env[name]
    ? { name, state: "ok", detail: "set" }
    : { name, state: "warning", detail: "not set; the API engine needs a key for its provider" };
}

async function browserLine(home: string): Promise<DoctorLine> {
  const { findBrowser } = await import("../browser/world.ts");
  const { loggedInSites } = await import("../../browser/index.ts");
  const name = "browser";
  const found = findBrowser();
  if (found === undefined)
    return { name, state: "warning", detail: "no Chrome or Chromium; needed for --engine browser" };
  const sites = loggedInSites(join(home, "browser"));
  return sites.length === 0
    ? { name, state: "warning", detail: `${found}; nobody has logged in: oracle browser login` }
    : { name, state: "ok", detail: `${found}; logged in: ${sites.join(", ")}` };
}

export async function doctor(home: string, cwd: string): Promise<DoctorLine[]> {
  return [
    { name: "node", state: "ok", detail: process.version },
    homeLine(home),
    configLine(home, cwd),
    gitLine(),
    keyLine("OPENAI_API_KEY"),
    keyLine("ANTHROPIC_API_KEY"),
    await browserLine(home),
  ];
}
