// Preloaded into a measured Node program: writes what the process used to a file of its own when it ends, and its
// processor time at each line it prints to standard error.
const fs = require("node:fs");
const { threadCpuUsage } = process;

const own = () => {
  const { user, system } = threadCpuUsage();
  return (user + system) / 1000;
};
const marks = [];
const write = fs.writeSync;
fs.writeSync = (fd, ...rest) => {
  if (fd === 2) marks.push({ line: String(rest[0]), ownMs: own() });
  return write(fd, ...rest);
};

process.on("exit", () => {
  const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage();
  const cpuMs = (userCPUTime + systemCPUTime) / 1000;
  const used = { megabytes: maxRSS / 1024, cpuMs, ownMs: own(), marks };
  fs.writeFileSync(`${process.env.USAGE_FILE}.${process.pid}`, JSON.stringify(used));
});
