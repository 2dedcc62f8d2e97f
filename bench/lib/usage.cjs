// Preloaded into a measured Node program: writes what the process used to a file of its own when it ends.
const { writeFileSync } = require("node:fs");

process.on("exit", () => {
  const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage();
  const used = { megabytes: maxRSS / 1024, cpuMs: (userCPUTime + systemCPUTime) / 1000 };
  writeFileSync(`${process.env.USAGE_FILE}.${process.pid}`, JSON.stringify(used));
});
