// Servers that stay up for long: after a warm-up they hold no more, however many streams are opened and closed.
import { describe, expect, it, onTestFinished } from "vitest";
import { tempFolder } from "../support/temp-folder.ts";
import { gatewayServer, pageServer, type Place, type Server } from "../support/long-servers/servers.ts";
import { openTestDesk } from "../cli/program.ts";

async function streamsOn(server: Server, least: number): Promise<void> {
  for (let opened = 0; opened < least;) opened += await server.turn();
}

function place(): Place & { readonly runId: string } {
  const desk = openTestDesk();
  const { runId } = desk.thehood(["plan", "look", "--team", "stub", "--json"]).json<{ runId: string }>();
  return { dir: desk.repo.dir, env: desk.env, folder: tempFolder("probe-"), runId };
}

describe("[B-31] servers stay flat in memory", () => {
  it.each([
    [
      "the page server",
      async () => {
        const at = place();
        return pageServer(at, at.runId);
      },
    ],
    ["the gateway", async () => gatewayServer(place())],
  ] as const)("%s holds no object and reserves no heap for streams that are closed", async (_, start) => {
    const server = await start();
    onTestFinished(server.end);
    await streamsOn(server, 300);
    const warm = await server.held();
    await streamsOn(server, 1_500);
    const later = await server.held();
    expect(later.responses).toBeLessThanOrEqual(warm.responses + 2);
    expect(later.sockets).toBeLessThanOrEqual(warm.sockets + 10);
    // A signal with a time limit is held until that time is over.
    const signals = async () => (await server.held()).signals;
    await expect.poll(signals, { timeout: 60_000, interval: 2_000 }).toBeLessThan(30);
    expect(later.heapUsed).toBeLessThan(warm.heapUsed * 1.2);
    expect(later.heapTotal).toBeLessThan(warm.heapTotal * 1.3);
  });
});
