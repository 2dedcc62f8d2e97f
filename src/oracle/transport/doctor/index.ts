// The checks of `oracle doctor`: enough to say why a run would not start, without sending anything.
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { spawnSync } from "node:child_process";
import { FailureError } from "../../../core/contract/index.ts";
import type { DoctorLine } from "../../../core/contract/transport/index.ts";
import { findGit } from "../../../platform/git/index.ts";

export interface DoctorDeps {
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  configs(): { readonly user: object; readonly project: object };
  browser(): Promise<DoctorLine>;
}

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

function configLine(configs: DoctorDeps["configs"]): DoctorLine {
  const name = "config";
  try {
    const { user, project } = configs();
    const keys = Object.keys(user).length + Object.keys(project).length;
    return { name, state: "ok", detail: `${keys} settings` };
  } catch (error) {
    if (!(error instanceof FailureError)) throw error;
    return { name, state: "missing", detail: error.failure.message };
  }
}

function gitLine(): DoctorLine {
  const git = findGit();
  const found = git === undefined ? null : spawnSync(git, ["--version"], { encoding: "utf8" });
  return found?.status === 0
    ? { name: "git", state: "ok", detail: found.stdout.trim() }
    : { name: "git", state: "warning", detail: "not found; needed for --apply-mode check, apply and commit" };
}

function keyLine(name: string, env: DoctorDeps["env"]): DoctorLine {
  return env[name]
    ? { name, state: "ok", detail: "set" }
    : { name, state: "warning", detail: "not set; the API engine needs a key for its provider" };
}

export async function doctor({ home, env, configs, browser }: DoctorDeps): Promise<DoctorLine[]> {
  return [
    { name: "node", state: "ok", detail: process.version },
    homeLine(home),
    configLine(configs),
    gitLine(),
    keyLine("OPENAI_API_KEY", env),
    keyLine("ANTHROPIC_API_KEY", env),
    await browser(),
  ];
}
