// npm run test:projects: fetches real projects with the packages that they develop with, beside this one and not in it, and
// runs the tests that compare their checks under us with the same checks by themselves. A package from npm that ships its
// tests is taken as it is; the others come from GitHub. A project that cannot be had here has its test skipped by name.
//   node scripts/projects.mjs --install    only fetches
//   node scripts/projects.mjs [words]     words go to the test runner, for example: -t yargs
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
const silentGit = { ...process.env, GIT_TERMINAL_PROMPT: "0" };

/** The files of a project into `place`. */
function fetched({ package: name, git, tag }, place) {
  if (git)
    return (
      run("git", ["clone", "-q", "--depth", "1", "--branch", tag, git, place], {
        ...quiet,
        env: silentGit,
      }) === 0
    );
  mkdirSync(place, { recursive: true });
  const packed = run(npm, ["pack", "--silent", "--pack-destination", place, name], { ...quiet, cwd: place });
  return (
    packed === 0 &&
    run("sh", ["-c", "tar xzf ./*.tgz --strip-components=1 && rm ./*.tgz"], { cwd: place }) === 0
  );
}

/** One commit that holds everything but the packages. */
function committed(place) {
  const identity = ["-c", "user.name=Ann", "-c", "user.email=ann@example.com", "-c", "commit.gpgSign=false"];
  const git = (...words) => run("git", [...identity, ...words], { ...quiet, cwd: place });
  rmSync(join(place, ".git"), { recursive: true, force: true });
  writeFileSync(join(place, ".gitignore"), "node_modules\n.nyc_output\ncoverage\n");
  return git("init", "-q", "-b", "main") + git("add", "-A") + git("commit", "-q", "-m", "Start") === 0;
}

function prepare(project) {
  const place = join(folder, project.name);
  if (existsSync(place)) return true;
  const half = `${place}-half`;
  rmSync(half, { recursive: true, force: true });
  const words = ["install", "--no-audit", "--no-fund", "--legacy-peer-deps", "--loglevel=error"];
  if (!fetched(project, half) || run(npm, words, { ...quiet, cwd: half }) !== 0 || !committed(half))
    return false;
  renameSync(half, place);
  return true;
}

ensurePackages();
ensureSystem([
  { program: "go", name: "golang-go" },
  { program: "cargo", name: "cargo" },
  { program: "pytest", name: "python3-pytest" },
]);
mkdirSync(folder, { recursive: true });
for (const [index, project] of projects.entries()) {
  say(
    `${project.name}: ${project.package ?? `${project.git} ${project.tag}`} (${index + 1} of ${projects.length})`,
  );
  if (!prepare(project)) say(`${project.name} cannot be had here; its test will be skipped.`);
}
if (process.argv.includes("--install")) process.exit(0);
process.exit(
  runNode(["scripts/test.mjs", "--set", "projects", ...process.argv.slice(2)], {
    env: { THEHOOD_PROJECTS_DIR: folder },
  }),
);
