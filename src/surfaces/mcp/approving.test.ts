// The tool that passes a gate is listed only where the user's configuration says so.
import { describe, expect, it } from "vitest";
import { FailureError } from "../../core/contract/index.ts";
import { createService, type McpServerDeps } from "./service.ts";

async function listed(hostMayApprove: () => Promise<boolean>): Promise<string[]> {
  const deps = { ports: { hostMayApprove }, version: "0", roots: ["/"], fault: () => undefined };
  const service = createService(deps as unknown as McpServerDeps);
  const answer = await service.method("tools/list")?.({}, {} as never);
  return (answer as { tools: { name: string }[] }).tools.map(({ name }) => name);
}

describe("[R-81] [S-4] thehood_approve and thehood_reject", () => {
  it("are offered to a host that the user lets approve", async () => {
    const names = await listed(() => Promise.resolve(true));
    expect(names).toEqual(expect.arrayContaining(["thehood_approve", "thehood_reject", "thehood_status"]));
    expect(names).toHaveLength(16);
  });

  it.each([
    ["forbids it", () => Promise.resolve(false)],
    [
      "cannot be read",
      () => Promise.reject(new FailureError({ code: "invalid_config", message: "config.json:1: broken" })),
    ],
  ])("are not offered where the configuration %s", async (_, hostMayApprove) => {
    const names = await listed(hostMayApprove);
    expect(names).not.toContain("thehood_approve");
    expect(names).not.toContain("thehood_reject");
    expect(names).toContain("thehood_status");
  });
});
