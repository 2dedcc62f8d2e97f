// An agent program that we start here speaks to a service elsewhere: its prompt leaves the machine.
import { describe, expect, it } from "vitest";
import { Play, agent, creation } from "../../../tests/support/play.ts";
import { agentPrograms } from "./provider.ts";

describe("[R-65] an agent program", () => {
  it.each(agentPrograms.map(({ id, boundary }) => [id, boundary] as const))(
    "%s receives nothing of the repository before its manifest is approved",
    (id, boundary) => {
      const orchestrator = agent(`${id}:default`, { boundary });
      const play = new Play({ mode: "plan", roles: { ...creation().roles, orchestrator } });
      play.go();
      expect(play.gate).toBe("provider_invocation");
      play.answer("approve").go();
      expect(play.gate).toBe("repo_context_external_transfer");
      expect(play.of("external_transfer_manifest_written")[0]?.manifest.destination.provider).toBe(id);
      expect(play.types()).not.toContain("provider_wait_posted");
      play.answer("approve").step();
      expect(play.types()).toContain("provider_wait_posted");
    },
  );
});
