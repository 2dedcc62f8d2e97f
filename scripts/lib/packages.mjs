// The packages of a clone. `npm start` needs only those of the build; `npm test` and the other commands need all of them.
import { existsSync, lstatSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { mustRun, npm, root, say } from "./run.mjs";

/** The bundler and what is bundled. A test compares the list with the notices of the built package. */
export const buildPackages = [
  "@preact/signals",
  "aws4fetch",
  "ignore",
  "jsonc-parser",
  "pg",
  "pg-boss",
  "preact",
  "re2js",
  "rolldown",
  "uqr",
  "web-tree-sitter",
  "ws",
  "zod",
];

const modules = join(root, "node_modules");
const readJson = (path) => JSON.parse(readFileSync(path, "utf8"));
const wholeLock = () => readJson(join(root, "package-lock.json"));

/** The path in the lock of the package that Node would find as `name` from the one at `owner`. */
function pathOf(packages, owner, name) {
  for (let at = owner; ; at = at.slice(0, Math.max(0, at.lastIndexOf("/node_modules/")))) {
    const path = `${at === "" ? "" : `${at}/`}node_modules/${name}`;
    if (packages[path]) return path;
    if (at === "") return undefined;
  }
}

/** The part of a lock that these packages need, as a lock of its own. */
export function partOfLock({ packages, lockfileVersion }, names) {
  const devDependencies = Object.fromEntries(names.map((name) => [name, packages[`node_modules/${name}`]?.version]));
  const missing = names.filter((name) => devDependencies[name] === undefined);
  if (missing.length > 0) throw new Error(`package-lock.json has no ${missing.join(", ")}`);
  const paths = new Set(names.map((name) => `node_modules/${name}`));
  for (const path of paths) {
    const { dependencies, optionalDependencies, peerDependencies, peerDependenciesMeta } = packages[path];
    const peers = Object.keys(peerDependencies ?? {}).filter((name) => !peerDependenciesMeta?.[name]?.optional);
    for (const name of [...Object.keys({ ...dependencies, ...optionalDependencies }), ...peers]) {
      const found = pathOf(packages, path, name);
      if (found) paths.add(found);
    }
  }
  const entries = Object.entries(packages).filter(([path]) => paths.has(path));
  const about = { name: "thehood-build", private: true, devDependencies };
  return {
    about,
    lock: {
      name: about.name,
      lockfileVersion,
      requires: true,
      packages: { "": about, ...Object.fromEntries(entries) },
    },
  };
}

/** Whether the packages in node_modules are those of the lock. npm writes down which ones it put there. */
function isInstalled(lock) {
  const written = join(modules, ".package-lock.json");
  if (!existsSync(written)) return false;
  const { packages: there } = readJson(written);
  return Object.entries(lock.packages).every(([path, { version, optional }]) => {
    // The bindings of other platforms are in the lock and not in the folder.
    if (path === "" || (optional && !there[path])) return true;
    return there[path]?.version === version;
  });
}

const isLink = () => lstatSync(modules, { throwIfNoEntry: false })?.isSymbolicLink() === true;
const install = ["ci", "--include=dev", "--no-audit", "--no-fund", "--no-update-notifier", "--loglevel=error"];
const quiet = { stdio: ["ignore", "ignore", "inherit"] };

/** Installs the packages of the lock. A node_modules that is a link belongs to another checkout and is left alone. */
export function ensurePackages() {
  const lock = wholeLock();
  if (isLink() || isInstalled(lock)) return;
  say("Installing the packages of the build, the tests and the linters (once, about 350 MB) …");
  mustRun(npm, install, quiet, "If package.json and the lock differ, run: npm run lock");
}

/** Says that the build's own packages are in node_modules and nothing else. */
const marker = join(modules, ".only-for-the-build");

/** Installs what the build needs where nothing is installed. `dropBuildPackages` removes it after the build. */
export function ensureBuildPackages() {
  const { about, lock } = partOfLock(wholeLock(), buildPackages);
  if (isLink() || isInstalled(lock)) return;
  if (existsSync(modules) && !existsSync(marker)) {
    ensurePackages();
    return;
  }
  const count = Object.values(lock.packages).filter(({ optional }) => !optional).length - 1;
  say(`Installing the ${count} packages of the build (about 45 MB; they are removed after it) …`);
  const folder = join(root, ".build", "packages");
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), JSON.stringify(about));
  writeFileSync(join(folder, "package-lock.json"), JSON.stringify(lock));
  mustRun(npm, [...install, "--ignore-scripts"], { ...quiet, cwd: folder });
  writeFileSync(join(folder, "node_modules", ".only-for-the-build"), "");
  rmSync(modules, { recursive: true, force: true });
  renameSync(join(folder, "node_modules"), modules);
  rmSync(folder, { recursive: true, force: true });
}

/** The built programs need no package: what was installed for the build alone goes. */
export function dropBuildPackages() {
  if (existsSync(marker)) rmSync(modules, { recursive: true, force: true });
}
