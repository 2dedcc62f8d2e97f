// npm run test:projects: fetches real projects with the packages that they develop with, beside this one and not in it, and
// runs the tests that compare their checks under us with the same checks by themselves. A package from npm that ships its
// tests is taken as it is; the others are the authors' own sources as the archives of Debian and Ubuntu keep them, by their hash.
// A project that cannot be had here has its test skipped by name. Beside them: published sources in three languages, only to be read.
//   node scripts/projects.mjs --install    only fetches
//   node scripts/projects.mjs [words]     words go to the test runner, for example: -t yargs
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { ensurePackages, root, runNode } from "./lib/bootstrap.mjs";
import { npm, run, say } from "./lib/run.mjs";
import { ensureSystem } from "./lib/system.mjs";

/** No segment of it starts with a dot: some of these projects fail below such a folder by themselves. */
const folder = process.env.THEHOOD_PROJECTS_DIR || join(tmpdir(), "thehood-projects");
const projects = JSON.parse(readFileSync(join(root, "tests/projects/list.json"), "utf8"));
const quiet = { stdio: ["ignore", "ignore", "inherit"], timeout: 10 * 60_000 };

/** The first address that answers with exactly the bytes that the list names. */
async function downloaded({ urls, sha256 }) {
  for (const url of urls) {
    try {
      const answer = await fetch(url, { signal: AbortSignal.timeout(60_000) });
      const bytes = Buffer.from(await answer.arrayBuffer());
      if (createHash("sha256").update(bytes).digest("hex") === sha256) return bytes;
      say(`${url} answers with ${answer.status} and other bytes than the list names`);
    } catch (error) {
      say(`${url} cannot be reached: ${error.cause?.message ?? error.message}`);
    }
  }
  return undefined;
}

/** The files of a project into `place`. */
async function fetched(project, place) {
  mkdirSync(place, { recursive: true });
  if (project.archive) {
    const bytes = await downloaded(project);
    if (!bytes) return false;
    const tar = ["xf", ".archive", "--strip-components=1"];
    writeFileSync(join(place, ".archive"), bytes);
    const unpacked = run("tar", tar, { cwd: place });
    rmSync(join(place, ".archive"));
    return unpacked === 0;
  }
  const pack = ["pack", "--silent", "--pack-destination", place, project.package];
  return (
    run(npm, pack, { ...quiet, cwd: place }) === 0 &&
    run("sh", ["-c", "tar xzf ./*.tgz --strip-components=1 && rm ./*.tgz"], { cwd: place }) === 0
  );
}

/** The packages that the project develops with; `with` holds versions of the project's own time. */
function installed({ with: more = [] }, place) {
  const words = ["install", "--no-audit", "--no-fund", "--legacy-peer-deps", "--loglevel=error"];
  const all = more.length === 0 ? words : [...words, "--no-save", ...more];
  // npm installs them, so npm runs the checks: the lock of another program would ask for that one.
  rmSync(join(place, "yarn.lock"), { force: true });
  return run(npm, all, { ...quiet, cwd: place }) === 0;
}

/** One commit that holds everything but the packages. */
function committed(place) {
  const identity = ["-c", "user.name=Ann", "-c", "user.email=ann@example.com", "-c", "commit.gpgSign=false"];
  const git = (...words) => run("git", [...identity, ...words], { ...quiet, cwd: place });
  rmSync(join(place, ".git"), { recursive: true, force: true });
  writeFileSync(join(place, ".gitignore"), "node_modules\n.nyc_output\ncoverage\n");
  return git("init", "-q", "-b", "main") + git("add", "-A") + git("commit", "-q", "-m", "Start") === 0;
}

async function prepare(project) {
  const place = join(folder, project.name);
  if (existsSync(place)) return true;
  const half = `${place}-half`;
  rmSync(half, { recursive: true, force: true });
  if (!(await fetched(project, half)) || !installed(project, half) || !committed(half)) return false;
  renameSync(half, place);
  return true;
}

/** Published sources, as npm or the Debian archive of this machine has them. */
async function fetchSources({ name, package: packageName, debian }) {
  const place = join(folder, "clean-sources", name);
  if (existsSync(place)) return true;
  const half = `${place}-half`;
  rmSync(half, { recursive: true, force: true });
  mkdirSync(half, { recursive: true });
  const script = 'apt-get download -qq "$1" && dpkg-deb -x ./*.deb . && rm ./*.deb';
  const complete = debian
    ? run("sh", ["-c", script, "sh", debian], { ...quiet, cwd: half }) === 0
    : await fetched({ package: packageName }, half);
  if (complete) renameSync(half, place);
  return complete;
}

ensurePackages();
ensureSystem([
  { program: "go", name: "golang-go" },
  { program: "cargo", name: "cargo" },
  { program: "pytest", name: "python3-pytest" },
]);
mkdirSync(folder, { recursive: true });
for (const [index, project] of projects.entries()) {
  say(`${project.name}: ${project.package ?? project.archive} (${index + 1} of ${projects.length})`);
  if (!(await prepare(project))) say(`${project.name} cannot be had here; its test will be skipped.`);
}
for (const sources of JSON.parse(readFileSync(join(root, "tests/projects/clean-sources.json"), "utf8")))
  if (!(await fetchSources(sources))) say(`${sources.name} cannot be had here; its test will be skipped.`);
if (process.argv.includes("--install")) process.exit(0);
process.exit(
  runNode(["scripts/test.mjs", "--set", "projects", ...process.argv.slice(2)], {
    env: { THEHOOD_PROJECTS_DIR: folder },
  }),
);
