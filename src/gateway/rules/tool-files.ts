// The pair of files that OpenCode finds for each tool. The guidance stands in the description as well: OpenCode reads
// no `.txt` (seen with 1.18.33).
import { z } from "zod";
import type { ToolDefinition } from "./tools.ts";

export interface BoxFile {
  /** Absolute, inside the sandbox. */
  readonly path: string;
  readonly text: string;
  /** 0o600 for secrets; 0o644 otherwise. */
  readonly mode?: number;
}

/** The package that the wrappers import; its code is in src/gateway/inside. */
export const toolPackage = "thehood-tools";

const guidanceOf = ({ summary, guidance }: ToolDefinition): string => [summary, ...guidance].join("\n");

export function toolFiles(folder: string, tool: ToolDefinition): BoxFile[] {
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
