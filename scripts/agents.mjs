// npm run test:agents: installs the pinned real agent programs beside the project, not in it, and runs the tests that use
// them against scripted models on loopback. A program that cannot be installed here has its tests skipped by name.
//   node scripts/agents.mjs --install     only installs
//   node scripts/agents.mjs [words]       words go to the test runner, for example a file
import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { ensurePackages, root, runNode } from "./lib/bootstrap.mjs";

const folder =
  process.env.THEHOOD_AGENTS_DIR || join(process.env.XDG_CACHE_HOME || join(homedir(), ".cache"), "thehood", "agents");
const programs = JSON.parse(readFileSync(join(root, "tests/agents/programs.json"), "utf8"));
const say = (text) => process.stderr.write(`${text}\n`);

const placeOf = ({ package: name }) => join(folder, "node_modules", name);

function isPresent(program) {
  const about = join(placeOf(program), "package.json");
  return existsSync(about) && JSON.parse(readFileSync(about, "utf8")).version === program.version;
}

/**
 * Two of them put their real program in place after the installation, and npm may be set not to run such scripts.
 * Doing it twice does no harm.
 */
function finish(program) {
  const done = join(placeOf(program), ".finished");
  if (!program.finish || existsSync(done)) return true;
  const ended = spawnSync(process.execPath, [program.finish], { cwd: placeOf(program), stdio: "ignore" });
  if (ended.status === 0) writeFileSync(done, "");
  return ended.status === 0;
}

const attempts = 2;
const limitMs = 15 * 60_000;

/** One program at a time, so that one that cannot be had does not take the others along. */
function install({ package: name, version }) {
  const npm = process.platform === "win32" ? "npm.cmd" : "npm";
  const words = ["install", "--prefix", folder, "--save-exact", "--no-audit", "--no-fund", "--loglevel=error"];
  return new Promise((done) => {
    const child = spawn(npm, [...words, `${name}@${version}`], {
      cwd: folder,
      stdio: ["ignore", "ignore", "inherit"],
      timeout: limitMs,
    });
    const began = Date.now();
    const tick = setInterval(() => say(`  … ${Math.round((Date.now() - began) / 1000)} s`), 15_000);
    child.on("error", (error) => say(`  npm cannot be run: ${error.message}`));
    child.on("close", (code) => {
      clearInterval(tick);
      done(code === 0);
    });
  });
}

ensurePackages();
mkdirSync(folder, { recursive: true });
const list = join(folder, "package.json");
if (!existsSync(list)) writeFileSync(list, '{ "private": true }\n');
for (const [index, program] of programs.entries()) {
  if (isPresent(program) && finish(program)) continue;
  say(`Installing ${program.name} ${program.version} (${index + 1} of ${programs.length}) into ${folder} …`);
  let ok = false;
  for (let attempt = 1; attempt <= attempts && !ok; attempt += 1) ok = (await install(program)) && finish(program);
  if (!ok) say(`${program.name} could not be installed; its tests will be skipped.`);
}

if (process.argv.includes("--install")) process.exit(0);
const words = process.argv.slice(2);
process.exit(runNode(["scripts/test.mjs", "--set", "agents", ...words], { env: { THEHOOD_AGENTS_DIR: folder } }));
