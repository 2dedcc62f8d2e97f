// Preloaded into a server: on SIGUSR2 it collects garbage and writes what it still holds to a file.
const fs = require("node:fs");
const { ServerResponse } = require("node:http");
const { Socket } = require("node:net");
const { queryObjects, setFlagsFromString } = require("node:v8");
const { runInNewContext } = require("node:vm");

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc");
let count = 0;
process.on("SIGUSR2", async () => {
  // What ended with a stream is let go in later turns.
  for (let turn = 0; turn < 5; turn += 1) {
    collect();
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  const { heapUsed, heapTotal, rss } = process.memoryUsage();
  const [responses, sockets, signals] = [ServerResponse, Socket, AbortSignal].map((kind) => queryObjects(kind));
  count += 1;
  const file = `${process.env.PROBE_FILE}.${count}`;
  fs.writeFileSync(`${file}.tmp`, JSON.stringify({ heapUsed, heapTotal, rss, responses, sockets, signals }));
  fs.renameSync(`${file}.tmp`, file);
});
