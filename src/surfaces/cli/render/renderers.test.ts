// No command prints its internal object to a person.
import { expect, it } from "vitest";
import { operations } from "../../../operations/index.ts";
import { rendererOf } from "./renderers.ts";

/** Results of a few fields with names of a person's language. They are printed field by field. */
const fieldByField = [
  "queue work",
  "web",
  "browser login",
  "browser check",
  "browser report",
  "gateway",
  "gateway new",
  "gateway stop",
  "gateway start",
  "gateway secrets",
  "gateway dev",
  "worker",
  "schedule",
  "store copy",
];

it("every command has a view of its own, but for those with a few fields", async () => {
  const without: string[] = [];
  for (const { name, cli } of operations) if (cli && !(await rendererOf(name))?.print) without.push(name);
  expect(
    without.toSorted(),
    "a new command has a renderer in renderers.ts, or stands above when its fields read well as they are",
  ).toEqual(fieldByField.toSorted());
});

it("a transfer is shown in sentences, and so is the absence of one", async () => {
  const renderer = await rendererOf("transfer preview");
  let out = "";
  const view = { io: { out: (text: string) => void (out += text) } };
  await renderer?.print?.({ runId: "run_1", waits: false, ref: null, manifest: null } as never, view as never);
  expect(out).toBe("Run run_1 has sent nothing to a provider and has nothing to send now.\n");
  const manifest = { kind: "external_transfer_manifest", totalBytes: 12, destination: { provider: "p", model: "m" } };
  await renderer?.print?.({ runId: "run_1", waits: true, ref: "r", manifest } as never, view as never);
  expect(out).toContain("This is sent when you approve it:\nTransfer manifest: 12 bytes to p:m");
});
