// Preloaded into a measured Node program: writes what the process used to a file of its own when it ends, and its
// processor time at each line it prints to standard error. The time for starting other programs is told apart: it is the
// price of those programs.
const fs = require("node:fs");
const Module = require("node:module");
const { threadCpuUsage } = process;

const own = () => {
  const { user, system } = threadCpuUsage();
  return (user + system) / 1000;
};
const marks = [];
const write = fs.writeSync;
fs.writeSync = (fd, ...rest) => {
  if (fd === 2) marks.push({ line: String(rest[0]), ownMs: own() });
  const framed = fd === 1 && String(rest[0]).includes("\u001b[?2026l");
  const result = write(fd, ...rest);
  if (framed) marks.push({ line: "frame", ownMs: own() });
  return result;
};

let startingMs = 0;
/** How long at least one other program ran, from its start to its end. */
let besideMs = 0;
let running = 0;
let since = 0;
const begins = () => {
  if (running === 0) since = performance.now();
  running += 1;
};
const ends = () => {
  running -= 1;
  if (running === 0) besideMs += performance.now() - since;
};
const counted =
  (start) =>
  (...args) => {
    const before = own();
    begins();
    try {
      const started = start(...args);
      if (typeof started?.once === "function") started.once("exit", ends);
      else ends();
      return started;
    } finally {
      startingMs += own() - before;
    }
  };
const load = Module._load;
Module._load = function (name, ...rest) {
  const found = load.call(this, name, ...rest);
  if (/^(?:node:)?child_process$/.test(name) && !found.counted) {
    found.counted = true;
    for (const start of ["spawn", "spawnSync"]) found[start] = counted(found[start]);
  }
  return found;
};

process.on("exit", () => {
  const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage();
  const cpuMs = (userCPUTime + systemCPUTime) / 1000;
  const used = {
    megabytes: maxRSS / 1024,
    cpuMs,
    ownMs: own(),
    startingMs,
    wallMs: performance.now(),
    besideMs,
    marks,
  };
  fs.writeFileSync(`${process.env.USAGE_FILE}.${process.pid}`, JSON.stringify(used));
});
