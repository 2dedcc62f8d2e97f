// The files of a session's sandbox: one function makes the whole list, providers only write it. Our folders are
// cleared first, so a restored snapshot brings no tool of an earlier mode.
import { instructionsPath, opencodeConfig, pluginPath, type ModelAccess } from "./opencode-config.ts";
import { systemPrompt } from "./prompts.ts";
import type { SessionFacts } from "./session.ts";
import { places, sandboxTools, type ToolDefinition } from "./tools.ts";
import { z } from "zod";

export interface SandboxFile {
  /** Absolute, inside the sandbox. */
  readonly path: string;
  readonly text: string;
  /** 0o600 for secrets; 0o755 for programs; 0o644 otherwise. */
  readonly mode?: number;
}

/** The package that the tool files import; its code is in src/gateway/in-sandbox. */
export const toolPackage = "thehood-tools";

const guidanceOf = ({ summary, guidance }: ToolDefinition): string => [summary, ...guidance].join("\n");

export function toolFiles(folder: string, tool: ToolDefinition): SandboxFile[] {
  const definition = {
    name: tool.name,
    performedBy: tool.performedBy,
    keyArgument: tool.keyArgument ?? null,
    description: guidanceOf(tool),
    schema: z.toJSONSchema(tool.args, { io: "input" }),
  };
  const code = [
    "// Written by the gateway before each start; changes are lost.",
    `import { gatewayTool } from ${JSON.stringify(toolPackage)};`,
    "",
    `export default gatewayTool(${JSON.stringify(definition, null, 2)});`,
    "",
  ].join("\n");
  return [
    { path: `${folder}/${tool.name}.ts`, text: code },
    { path: `${folder}/${tool.name}.txt`, text: `${guidanceOf(tool)}\n` },
  ];
}

export interface SandboxFileSet {
  /** Removed whole before the files are written. */
  readonly clear: readonly string[];
  readonly files: readonly SandboxFile[];
  /** Patterns for `.git/info/exclude` of the workspace. */
  readonly gitExclude: readonly string[];
}

const pluginVersion = "1.18.33";
const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

/** OpenCode installs its plugin package in each of its folders unless a lock file lists it (1.18.33). */
const dependencyStubs = (folder: string): SandboxFile[] => [
  { path: `${folder}/package.json`, text: json({ dependencies: { "@opencode-ai/plugin": pluginVersion } }) },
  {
    path: `${folder}/package-lock.json`,
    text: json({
      lockfileVersion: 3,
      requires: true,
      packages: { "": { dependencies: { "@opencode-ai/plugin": pluginVersion } } },
    }),
  },
  {
    path: `${folder}/node_modules/@opencode-ai/plugin/package.json`,
    text: json({
      name: "@opencode-ai/plugin",
      version: pluginVersion,
      type: "module",
      exports: "./index.js",
    }),
  },
  {
    path: `${folder}/node_modules/@opencode-ai/plugin/index.js`,
    text: "export const tool = (definition) => definition;\n",
  },
];

const toolDependencies = (folder: string, code: string): SandboxFile[] => [
  { path: `${folder}/package.json`, text: json({ private: true, type: "module" }) },
  {
    path: `${folder}/node_modules/${toolPackage}/package.json`,
    text: json({ name: toolPackage, type: "module", exports: "./index.js" }),
  },
  { path: `${folder}/node_modules/${toolPackage}/index.js`, text: code },
];

const plugin = [
  "// Written by the gateway: the session is followed from outside, so this plugin adds nothing.",
  "export const Proliferate = async () => ({});",
  "",
].join("\n");

const actionsGuide = [
  "# Actions",
  "",
  "Integrations that the user connected are used through the gateway; their keys stay outside of this sandbox.",
  "Never ask for the raw API key of one. What is not connected is not available: say so and go on without it.",
  "",
  "    proliferate actions list",
  "    proliferate actions guide --integration NAME",
  '    proliferate actions run --integration NAME --action ACTION --params \'{"key": "value"}\'',
  "",
  "The output is JSON. An action that writes waits until the user approves it; one that the user denies ends with an error.",
  "To repeat an action whose answer was lost, use the same --id: it acts once.",
  "",
].join("\n");

export interface SandboxCode {
  /** The package of the tools. */
  readonly tools: string;
  /** The program `proliferate`; empty for none. */
  readonly actions: string;
}

/** Node is in local sandboxes; elsewhere the agent's own runtime runs the program. */
const actionsProgram = (code: string): SandboxFile[] => [
  {
    path: `${places.programs}/proliferate`,
    text: [
      "#!/bin/sh",
      "# Written by the gateway before each start; changes are lost.",
      `file=${places.programs}/proliferate.mjs`,
      "for program in node /run/thehood/node bun; do",
      '  command -v "$program" > /dev/null 2>&1 && exec "$program" "$file" "$@"',
      "done",
      'BUN_BE_BUN=1 exec opencode "$file" "$@"',
      "",
    ].join("\n"),
    mode: 0o755,
  },
  { path: `${places.programs}/proliferate.mjs`, text: code },
];

export function sandboxFiles(
  session: SessionFacts,
  model: string,
  door: ModelAccess,
  code: SandboxCode,
): SandboxFileSet {
  const repo = places.workspace;
  const tools = `${repo}/.opencode/tool`;
  const globalFolder = `${places.home}/.config/opencode`;
  const config = json(opencodeConfig(model, door));
  return {
    clear: [`${repo}/.opencode`, globalFolder, places.programs],
    gitExclude: ["/.opencode/", "/.proliferate/", "/opencode.json"],
    files: [
      ...sandboxTools(session).flatMap((tool) => toolFiles(tools, tool)),
      ...toolDependencies(tools, code.tools),
      ...dependencyStubs(`${repo}/.opencode`),
      ...dependencyStubs(globalFolder),
      { path: `${globalFolder}/opencode.json`, text: config, mode: 0o600 },
      { path: `${repo}/opencode.json`, text: config, mode: 0o600 },
      { path: pluginPath, text: plugin },
      { path: `${repo}/${instructionsPath}`, text: `${systemPrompt(session)}\n` },
      { path: `${repo}/.proliferate/actions-guide.md`, text: actionsGuide },
      ...(code.actions === "" ? [] : actionsProgram(code.actions)),
    ],
  };
}
