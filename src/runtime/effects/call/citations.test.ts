// A citation agent's claims are checked against the artifacts by the runtime, not believed.
import { describe, expect, it } from "vitest";
import type { ProviderCall, RoleResponse } from "../../../core/contract/index.ts";
import { sceneDeps } from "../../../../tests/support/effect-scene.ts";
import { checkedCitations } from "./citations.ts";

const deps = sceneDeps();
const log = await deps.artifacts.put("1 passed\n  2 failed in 3 s\n", {
  kind: "log",
  mediaType: "text/plain",
  summary: "log",
});
const hidden = await deps.artifacts.put("words of another run", {
  kind: "log",
  mediaType: "text/plain",
  summary: "other",
});
const call = { prompt: JSON.stringify({ evidence: [{ ref: log.ref }] }) } as ProviderCall;

async function judged(...claims: object[]) {
  const payload = { verdict: "supported", summary: "all of it", thehoodDirectiveAck: "x", claims };
  const response = {
    contract: "citation_result",
    status: "ok",
    summary: "s",
    payload,
  } as unknown as RoleResponse;
  const checked = (await checkedCitations(deps, call, response)).payload as {
    verdict: string;
    claims: { verdict: string; finding?: string }[];
  };
  return {
    verdict: checked.verdict,
    claims: checked.claims.map(({ verdict, finding = "" }) => ({ verdict, finding })),
  };
}

describe("[R-6] a claim of the citation agent", () => {
  const supported = { claim: "two tests fail", verdict: "supported" } as const;

  it("counts as supported when its words stand in the artifact it cites", async () => {
    const held = await judged({ ...supported, ref: log.ref, quote: "2 failed in 3 s" });
    expect(held).toEqual({ verdict: "supported", claims: [{ verdict: "supported", finding: "" }] });
    expect((await judged({ ...supported, ref: log.ref, quote: "1 passed 2 failed" })).verdict).toBe("supported");
  });

  it.each([
    ["cites nothing", {}, "cites no artifact"],
    ["cites an artifact that it was not given", { ref: hidden.ref, quote: "words" }, "does not name"],
    ["cites an artifact that is not there", { ref: `sha256:${"0".repeat(64)}`, quote: "x" }, "does not name"],
    ["cites a path", { ref: "../../etc/passwd", quote: "root" }, "does not name"],
    ["quotes nothing", { ref: log.ref }, "quotes nothing"],
    ["quotes other words", { ref: log.ref, quote: "0 failed" }, "not in the artifact"],
  ])("that %s is unclear, and so is the whole answer", async (_, more, words) => {
    const { verdict, claims } = await judged({ ...supported, finding: "surely", ...more });
    expect(verdict).toBe("unclear");
    expect(claims[0]?.verdict).toBe("unclear");
    expect(claims[0]?.finding).toContain(words);
    expect(claims[0]?.finding).toContain("surely");
  });

  it("that the agent itself calls unsupported stays so", async () => {
    expect((await judged({ claim: "x", verdict: "unsupported" })).claims[0]?.verdict).toBe("unsupported");
  });
});
