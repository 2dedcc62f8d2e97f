// The checks of `oracle doctor`: why a run would not start. They send nothing.
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { spawnSync } from "node:child_process";
import { badCheck, okCheck, runDoctorCheck, type DoctorCheck } from "../../../core/contract/index.ts";
import { findGit } from "../../../platform/git/index.ts";

interface DoctorDeps {
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  configs(): { readonly user: object; readonly project: object };
  browser(): Promise<DoctorCheck>;
}

/** What a small session takes. */
const sessionBytes = 64 << 10;

function homeLine(home: string): DoctorCheck {
  const name = "home folder";
  const probe = join(home, `.doctor-${process.pid}`);
  try {
    mkdirSync(home, { recursive: true, mode: 0o700 });
    // On a full disk an empty file can still be made.
    writeFileSync(probe, Buffer.alloc(sessionBytes), { mode: 0o600 });
    return okCheck(name, home);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return badCheck(name, "blocker", `${home} cannot be written: ${why}`, null);
  } finally {
    if (existsSync(probe)) rmSync(probe, { force: true });
  }
}

function configLine(configs: DoctorDeps["configs"]): DoctorCheck[] {
  const { user, project } = configs();
  return [okCheck("config", `${Object.keys(user).length + Object.keys(project).length} settings`)];
}

function gitLine(): DoctorCheck {
  const git = findGit();
  const found = git === undefined ? null : spawnSync(git, ["--version"], { encoding: "utf8" });
  return found?.status === 0
    ? okCheck("git", found.stdout.trim())
    : badCheck("git", "warning", "not found", "needed for --apply-mode check, apply and commit");
}

function keyLine(name: string, env: DoctorDeps["env"]): DoctorCheck {
  return env[name]
    ? okCheck(name, "set")
    : badCheck(name, "warning", "not set", "the API engine needs a key for its provider");
}

export async function doctor({ home, env, configs, browser }: DoctorDeps): Promise<DoctorCheck[]> {
  return [
    okCheck("node", process.version),
    homeLine(home),
    ...(await runDoctorCheck("config", () => configLine(configs))),
    gitLine(),
    keyLine("OPENAI_API_KEY", env),
    keyLine("ANTHROPIC_API_KEY", env),
    await browser(),
  ];
}
