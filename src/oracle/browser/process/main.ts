// The keeper's program: one process for each profile, started by the first run that needs the browser, ended when idle.
import { createServer } from "node:net";
import process from "node:process";
import { frames } from "../cdp/client.ts";
import { startDisplay, type VirtualDisplay } from "./display.ts";
import { Keeper } from "./keeper.ts";
import { postKeeper, privateFolder, socketPath, unpost } from "./location.ts";
import type { KeeperSettings, Reply, Request } from "./protocol.ts";

/** Exit codes that the starting run reads. */
const keeperExit = { ended: 0, notStarted: 3, another: 4 } as const;

/** The display of a browser whose window nobody sees. */
async function displayFor({ folder, launch }: KeeperSettings): Promise<VirtualDisplay | undefined> {
  if (launch.virtualDisplay === undefined || launch.attach !== undefined) return undefined;
  try {
    return await startDisplay(launch.virtualDisplay, folder);
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exit(keeperExit.notStarted);
  }
}

async function keep(settings: KeeperSettings): Promise<void> {
  privateFolder(settings.folder);
  const socket = socketPath(settings.folder);
  if (!postKeeper(settings.folder, socket)) process.exit(keeperExit.another);
  process.on("exit", () => unpost(settings.folder, socket));
  const display = await displayFor(settings);
  if (display) process.on("exit", () => display.end());
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
    process.on(signal, () => keeper.end(`signal ${signal}`));
  let started = false;
  const keeper = new Keeper({ ...settings, launch: { ...settings.launch, display: display?.variables } }, (why) => {
    if (!started) process.stderr.write(`${why}\n`);
    process.exit(started ? keeperExit.ended : keeperExit.notStarted);
  });
  try {
    await keeper.ready();
  } catch (error) {
    return keeper.end(error instanceof Error ? error.message : String(error));
  }
  started = true;
  let count = 0;
  const server = createServer((connection) => {
    count += 1;
    const client = {
      id: count,
      say: (reply: Reply) => {
        if (connection.writable) connection.write(`${JSON.stringify(reply)}\n`);
      },
    };
    keeper.join(client);
    connection.on(
      "data",
      frames(10, (line) => keeper.take(client, JSON.parse(line) as Request)),
    );
    connection.on("error", () => connection.destroy());
    connection.on("close", () => keeper.leave(client));
  });
  server.listen(socket);
}

const given = process.argv[2];
if (given !== undefined)
  keep(JSON.parse(given) as KeeperSettings).catch((error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exit(keeperExit.notStarted);
  });
