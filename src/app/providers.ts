// Which providers there are on this machine.
import type { ProviderRegistry } from "../contract/index.ts";
import { createRegistry, createStub } from "../providers/index.ts";

export function createProviders(): ProviderRegistry {
  return createRegistry([createStub()]);
}
