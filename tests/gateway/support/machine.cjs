// A double of a machine, for the doubles of Docker, E2B and Modal: a machine is a folder, its programs run under
// bubblewrap with the folder as /home/user and /tmp, and a saved machine is a copy of the folder.
const { spawn } = require("node:child_process");
const { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } = require("node:fs");
const { join } = require("node:path");

exports.machinesAt = (root) => {
  const place = (kind, name) => join(root, kind, name.replaceAll(/[:/]/g, "_"));
  const folderOf = (id) => place("machines", id);
  const copy = (from, to) => cpSync(from, to, { recursive: true, verbatimSymlinks: true });
  return {
    exists: (id) => existsSync(folderOf(id)),
    /** `image` is `base` or the name of a saved machine; false when there is no such image. */
    create(id, image, env) {
      for (const part of ["home", "tmp"]) mkdirSync(join(folderOf(id), part), { recursive: true });
      if (existsSync(place("images", image))) copy(place("images", image), folderOf(id));
      else if (image !== "base") return false;
      writeFileSync(join(folderOf(id), "env"), JSON.stringify(env));
      return true;
    },
    fill: (id, from, path) => copy(from, join(folderOf(id), "home", path.slice("/home/user".length))),
    /** A running program of the machine. */
    start(id, argv, { cwd, env = {}, stdio = "pipe" }) {
      const folder = folderOf(id);
      const all = { ...JSON.parse(readFileSync(join(folder, "env"), "utf8")), ...env };
      const words = (text) => text.split(" ");
      const mounts = [
        ...words("--ro-bind / / --dev /dev --proc /proc --tmpfs /home --die-with-parent --unshare-pid --bind"),
        join(folder, "home"),
        ...words("/home/user --bind"),
        join(folder, "tmp"),
        "/tmp",
        ...words("--clearenv --setenv HOME /home/user --setenv PATH"),
        process.env.PATH,
      ];
      const set = Object.entries(all).flatMap(([name, value]) => ["--setenv", name, value]);
      return spawn("bwrap", [...mounts, ...set, "--chdir", cwd ?? "/home/user", "--", ...argv], { stdio });
    },
    save: (id, image) => copy(folderOf(id), place("images", image)),
    hasImage: (image) => existsSync(place("images", image)),
    removeImage: (image) => rmSync(place("images", image), { recursive: true, force: true }),
    remove: (id) => rmSync(folderOf(id), { recursive: true, force: true }),
  };
};

/** Output and exit code of a running program. */
exports.endOf = (child) =>
  new Promise((resolve) => {
    const out = [];
    const errors = [];
    child.stdout.on("data", (chunk) => out.push(chunk));
    child.stderr.on("data", (chunk) => errors.push(chunk));
    child.on("close", (code) =>
      resolve({ code: code ?? 137, stdout: Buffer.concat(out), stderr: Buffer.concat(errors) }),
    );
  });
