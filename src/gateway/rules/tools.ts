// Every tool of the agent, once: its schema, its guidance, its modes, and whether the gateway or the sandbox performs it.
// Wrappers, gateway checks, the OpenAPI document and the docs come from here.
import { z } from "zod";
import { kindOf, type SessionFacts, type SessionKind } from "./session.ts";

/** Paths in the sandbox that tools and prompts name. */
export const places = {
  home: "/home/user",
  workspace: "/home/user/workspace",
  evidence: ".proliferate/.verification",
  /** Our programs for the agent; before its search path. */
  programs: "/home/user/.proliferate/bin",
  envJson: "/tmp/.proliferate_env.json",
  serviceLogs: "/tmp/proliferate/logs",
  /** Written when the session starts: an older file is no evidence of this session. */
  began: "/tmp/.thehood-began",
} as const;

/** Whether a path stays inside the workspace by its text; the sandbox checks it again when it is used. */
const inside = (path: string): boolean => !/^[/\\]|^[A-Za-z]:|[\0\n\r\\]/.test(path) && !path.split("/").includes("..");

const relativePath = (most: number) =>
  z.string().max(most).refine(inside, { message: "must be a relative path without .. segments" });

export const envKey = z
  .string()
  .min(1)
  .max(200)
  .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, "must be a variable name");

const verify = z.object({
  folder: relativePath(500)
    .optional()
    .describe(`the folder with the evidence, relative to the workspace (default ${places.evidence})`),
});

const saveSnapshot = z.object({
  message: z.string().max(2000).optional().describe("in one line, the parts that work in this state"),
});

const outcomes = ["succeeded", "failed", "needs_human"] as const;
const reference = z.string().min(1).max(2000);
const automationComplete = z.object({
  run_id: z.string().trim().min(1).max(200).describe("the run that you were given"),
  completion_id: z.string().trim().min(1).max(200).describe("the completion id that you were given"),
  outcome: z.enum(outcomes),
  summary_markdown: z.string().max(50_000).optional().describe("the work and its result, in Markdown"),
  citations: z.array(reference).max(100).optional(),
  diff_ref: reference.optional(),
  test_report_ref: reference.optional(),
  side_effect_refs: z.array(reference).max(100).optional(),
});

const serviceCommand = z.object({
  name: z
    .string()
    .min(1)
    .max(100)
    .regex(/^[^\0\n\r/]+$/, "must be one line without slashes"),
  command: z.string().min(1).max(1000),
  cwd: relativePath(500).optional(),
  workspacePath: relativePath(500).optional(),
});
const saveServiceCommands = z.object({ commands: z.array(serviceCommand).min(1).max(10) });

const envFile = z.object({
  workspacePath: relativePath(500).default("."),
  path: relativePath(500).min(1),
  format: z.literal("dotenv"),
  mode: z.literal("secret"),
  keys: z
    .array(z.object({ key: envKey, required: z.boolean() }))
    .min(1)
    .max(50),
});
const saveEnvFiles = z.object({ files: z.array(envFile).min(1).max(10) });

const requestEnvVariables = z.object({
  keys: z
    .array(
      z.object({
        key: envKey,
        description: z.string().max(1000).optional(),
        type: z.enum(["env", "secret"]).optional(),
        required: z.boolean().optional(),
        suggestions: z
          .array(
            z.object({
              label: z.string().max(200),
              value: z.string().max(2000).optional(),
              instructions: z.string().max(2000).optional(),
            }),
          )
          .max(20)
          .optional(),
      }),
    )
    .min(1)
    .max(50),
});

export type ServiceCommand = z.infer<typeof serviceCommand>;
export type EnvFile = z.infer<typeof envFile>;
export type Completion = z.infer<typeof automationComplete>;

export interface ToolDefinition {
  readonly name: string;
  /** Other names of the tool in a callback. */
  readonly aliases: readonly string[];
  /** `gateway`: by a callback, with the authority of the gateway. `sandbox`: inside the sandbox. */
  readonly performedBy: "gateway" | "sandbox";
  readonly modes: readonly SessionKind[];
  readonly args: z.ZodObject;
  /** The argument whose value is the key of the callback instead of the call's id. */
  readonly keyArgument?: string;
  readonly summary: string;
  readonly guidance: readonly string[];
}

const everyMode = ["setup", "coding", "automation", "scratch"] as const;

export const toolDefinitions = [
  {
    name: "verify",
    aliases: [],
    performedBy: "gateway",
    modes: everyMode,
    args: verify,
    summary: "Upload evidence that the work is right: screenshots, test output, build logs.",
    guidance: [
      `Put the files into ${places.evidence} first, or name another folder of the workspace.`,
      "Secrets do not belong there: files that look like secrets are left out, and values are removed.",
    ],
  },
  {
    name: "save_snapshot",
    aliases: [],
    performedBy: "gateway",
    modes: everyMode,
    args: saveSnapshot,
    summary: "Save a snapshot of the workspace that later sessions can start from.",
    guidance: [
      "Call it after dependencies are installed, services run, variables are set, checks pass and verify was called.",
      "No person has to confirm it. Secrets are taken out of the snapshot and are put back afterwards.",
      "Say in the message which parts work.",
    ],
  },
  {
    name: "automation_complete",
    aliases: ["automation.complete"],
    performedBy: "gateway",
    modes: ["automation"],
    args: automationComplete,
    keyArgument: "completion_id",
    summary: "End this automation run, once, with its outcome.",
    guidance: [
      "run_id, completion_id and outcome are needed; outcome is succeeded, failed or needs_human.",
      "Add a summary in Markdown, and citations that prove it. After this call the sandbox is stopped.",
    ],
  },
  {
    name: "save_service_commands",
    aliases: [],
    performedBy: "gateway",
    modes: ["setup"],
    args: saveServiceCommands,
    summary: "Save the commands that start the services of this project in later sessions.",
    guidance: [
      "Save only commands that you saw work. They replace the saved list: 1 to 10 commands.",
      `Each one runs in the background when a session starts, and its output goes to ${places.serviceLogs}/<name>.log.`,
      "Call save_snapshot afterwards.",
    ],
  },
  {
    name: "save_env_files",
    aliases: [],
    performedBy: "gateway",
    modes: ["setup"],
    args: saveEnvFiles,
    summary: "Save which env files later sessions generate, and with which keys. Values are never stored by this call.",
    guidance: [
      'Only format "dotenv" and mode "secret"; 1 to 10 files with 1 to 50 keys each; paths are relative.',
      "The values come from the variables of the session. Call save_snapshot afterwards.",
    ],
  },
  {
    name: "request_env_variables",
    aliases: [],
    performedBy: "sandbox",
    modes: everyMode,
    args: requestEnvVariables,
    summary:
      "Ask the user for variables that the project needs. Returns at once; the user answers with `thehood gateway answer` or on the session's page.",
    guidance: [
      "Ask in one call, after dependencies are installed and local services (database, cache, mail) were tried first.",
      "Mark a key that you doubt as required: false. Keep your reply short and wait for the user's next message.",
      `Then read single keys: jq -r '.KEY' ${places.envJson}. Never print the file. Restart services afterwards.`,
    ],
  },
] as const satisfies readonly ToolDefinition[];

const byName = new Map<string, ToolDefinition>(
  toolDefinitions.flatMap((tool) => [tool.name, ...tool.aliases].map((name) => [name, tool] as const)),
);

/** The tool of a name or an alias. */
export const toolNamed = (name: string): ToolDefinition | undefined => byName.get(name);

/** The tools of a session: those of its mode that its configuration allows. */
export function sandboxTools(session: SessionFacts): ToolDefinition[] {
  const kind = kindOf(session);
  const chosen = session.tools?.map((name) => toolNamed(name)?.name);
  return toolDefinitions.filter(
    (tool: ToolDefinition) => tool.modes.includes(kind) && (chosen?.includes(tool.name) ?? true),
  );
}
