// The variables of a session: submitted by users, stored if requested, written into the sandbox and its env files.
import { z } from "zod";
import { fail } from "../../core/contract/index.ts";
import { asFile, mustRun, type Sandbox } from "../sandboxes/index.ts";
import { envFileText, envKey, isReservedVariable, places, type SandboxFile } from "../rules/index.ts";
import type { Configuration, SandboxSession } from "../store/index.ts";
import type { GatewayDeps } from "./deps.ts";

const value = z
  .string()
  .max(64 << 10)
  .refine((text) => !text.includes("\0"), "must have no NUL character");
const free = envKey.refine((key) => !isReservedVariable(key), "is a reserved name");

export const envSubmission = z.object({
  secrets: z
    .array(
      z.object({
        key: free,
        value,
        description: z.string().max(1000).optional(),
        persist: z.boolean().optional(),
      }),
    )
    .max(100)
    .default([]),
  envVars: z
    .array(z.object({ key: free, value }))
    .max(100)
    .default([]),
  /** Keys whose stored value of the configuration is written into the sandbox. */
  stored: z.array(free).max(100).default([]),
  saveToConfiguration: z.boolean().default(false),
});
export type EnvSubmission = z.infer<typeof envSubmission>;

export type Values = Readonly<Record<string, string>>;

/** The stored values of a configuration, decrypted. */
export async function storedValues(deps: GatewayDeps, configurationId: string | null): Promise<Values> {
  if (configurationId === null) return {};
  const sealed = await deps.store.secrets(configurationId);
  return Object.fromEntries(sealed.map((secret) => [secret.key, deps.vault.open(secret)]));
}

export interface Submitted {
  readonly submitted: true;
  readonly results: readonly {
    readonly key: string;
    readonly persisted: boolean;
    readonly alreadyExisted: boolean;
  }[];
}

/** Stores secrets by `persist` of the key, else by `saveToConfiguration`; plain variables are never stored (A-29). */
export async function storeSubmitted(
  deps: GatewayDeps,
  session: SandboxSession,
  { secrets, saveToConfiguration }: EnvSubmission,
): Promise<Submitted> {
  const { configurationId } = session;
  const results: { key: string; persisted: boolean; alreadyExisted: boolean }[] = [];
  for (const { key, value: text, persist = saveToConfiguration } of secrets) {
    if (!persist) results.push({ key, persisted: false, alreadyExisted: false });
    else if (configurationId === null)
      fail("invalid_input", "A session without a configuration cannot store a value.", {
        remedy: "Submit it with persist: false.",
      });
    else {
      const sealed = deps.vault.seal(configurationId, key, text, deps.clock.now());
      const { replaced } = await deps.store.putSecret(sealed);
      results.push({ key, persisted: true, alreadyExisted: replaced });
    }
  }
  return { submitted: true, results };
}

/** Merges values into the file from which the agent reads single keys (A-28). A file that cannot be read stays. */
export async function writeEnvFile(sandbox: Sandbox, values: Values): Promise<void> {
  if (Object.keys(values).length === 0) return;
  await sandbox.write([asFile(places.envJson, { ...(await readEnvFile(sandbox)), ...values })]);
}

export async function readEnvFile(sandbox: Sandbox): Promise<Values> {
  const { code, stdout } = await sandbox.exec(["cat", "--", places.envJson], { cwd: "/" });
  if (code !== 0) return {};
  const parsed = z.record(z.string(), z.string()).safeParse(parse(stdout.toString("utf8")));
  return parsed.success
    ? parsed.data
    : fail("run_failed", "The variables file of the sandbox was altered and cannot be read.", {
        remedy: "Start the session anew, or submit the variables again after it is removed.",
      });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export interface EnvFilesMade {
  readonly files: readonly SandboxFile[];
  readonly missing: readonly { readonly path: string; readonly keys: readonly string[] }[];
}

/** The env files of a configuration, quoted and readable by their owner only (A-30). */
export function makeEnvFiles(configuration: Configuration | undefined, values: Values): EnvFilesMade {
  const files: SandboxFile[] = [];
  const missing: { path: string; keys: readonly string[] }[] = [];
  for (const file of configuration?.envFiles ?? []) {
    const made = envFileText(file, values);
    if ("missing" in made) missing.push({ path: made.path, keys: made.missing });
    else files.push({ path: `${places.workspace}/${made.path}`, text: made.text, mode: 0o600 });
  }
  return { files, missing };
}

export const secretFilesOf = (configuration: Configuration | undefined): string[] => [
  places.envJson,
  ...(configuration?.envFiles ?? []).map(
    (file) => `${places.workspace}/${file.workspacePath === "." ? "" : `${file.workspacePath}/`}${file.path}`,
  ),
];

/** Adds lines to `.git/info/exclude`, so git ignores the files that we put into the workspace. */
export async function excludeFromGit(sandbox: Sandbox, patterns: readonly string[]): Promise<void> {
  const script =
    'set -e; cd "$1"; [ -d .git ] || exit 0; mkdir -p .git/info; touch .git/info/exclude; shift; for p in "$@"; do grep -qxF -- "$p" .git/info/exclude || printf "%s\\n" "$p" >> .git/info/exclude; done';
  await mustRun(sandbox.exec, ["sh", "-c", script, "sh", places.workspace, ...patterns], { cwd: "/" });
}
