// The subcommands: which body each name has.
import type { Given } from "../program.ts";
import type { OracleWorld } from "../spec.ts";

export async function subcommand(
  name: string,
  words: readonly string[],
  given: Given,
  world: OracleWorld,
): Promise<number> {
  if (name === "mcp") {
    await world.serveMcp();
    return 0;
  }
  if (name === "apply" || name === "bundle") {
    const { applyCommand, bundleCommand } = await import("./local.ts");
    return name === "apply" ? await applyCommand(words, given, world) : await bundleCommand(given, world);
  }
  const sessions = await import("./sessions.ts");
  return await sessions.sessionCommand(name, words, given, world);
}
