// Preloaded into a measured Node program: writes the program's peak memory to a file when it ends.
const { writeFileSync } = require("node:fs");

process.on("exit", () => writeFileSync(process.env.PEAK_MEMORY_FILE, String(process.resourceUsage().maxRSS)));
