// Two gateways on one database: whatever one of them tells of a session reaches the clients of the other.
import { expect, it, onTestFinished } from "vitest";
import { tempFolder } from "../support/temp-folder.ts";
import { endReplica, startReplica, type Replica } from "./support/replicas.ts";

async function replica(folder: string): Promise<Replica> {
  const started = await startReplica(folder, ["work=setup"]);
  onTestFinished(() => endReplica(started));
  return started;
}

it("[A-33] events of one gateway reach a client of another one, in order and without a gap", async () => {
  const folder = tempFolder("gateway-replicas-");
  const [one, two] = [await replica(folder), await replica(folder)];
  const authorization = `Bearer ${two.adminToken}`;
  const stream = await fetch(`${two.url}/api/sessions/work/events`, { headers: { authorization } });
  const seen: { seq: number; status: unknown }[] = [];
  const read = async (): Promise<void> => {
    let text = "";
    for await (const chunk of stream.body ?? []) {
      text += Buffer.from(chunk as Uint8Array).toString("utf8");
      for (const [, data = ""] of text.matchAll(/^data: (.*)\n\n/gm)) {
        const event = JSON.parse(data) as { seq: number; data: { status: unknown } };
        if (event.seq > (seen.at(-1)?.seq ?? 0)) seen.push({ seq: event.seq, status: event.data.status });
      }
      if (seen.at(-1)?.status === "stopped") return;
    }
  };
  const reading = read();
  const stopped = await fetch(`${one.url}/api/sessions/work/stop`, {
    method: "POST",
    headers: { authorization },
  });
  expect(stopped.status).toBe(200);
  await reading;
  expect(seen).toEqual([
    { seq: 1, status: "starting" },
    { seq: 2, status: "running" },
    { seq: 3, status: "stopped" },
  ]);
});
