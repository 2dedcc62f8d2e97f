// A double of the `docker` program, with as much of it as boxes use: containers are folders, programs in them run under
// bubblewrap with the folder as /home/user and /tmp, images are copies of folders.
const { spawnSync } = require("node:child_process");
const { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } = require("node:fs");
const { join } = require("node:path");

const root = process.env.DOUBLE_ROOT;
const place = (kind, name) => join(root, kind, name.replaceAll(/[:/]/g, "_"));
// Node would read `--env-file` of ours as its own, so that `--` stands before our words.
const [, command, ...words] = process.argv.slice(2);
const end = (code, out = "", err = "") => {
  process.stdout.write(out);
  process.stderr.write(err);
  process.exit(code);
};
const valueOf = (name) => words[words.indexOf(name) + 1];

if (command === "run") {
  const folder = place("containers", valueOf("--name"));
  const image = words.at(-3);
  for (const part of ["home", "tmp"]) mkdirSync(join(folder, part), { recursive: true });
  if (existsSync(place("images", image)))
    cpSync(place("images", image), folder, { recursive: true, verbatimSymlinks: true });
  else if (image !== "base") end(125, "", `Unable to find image '${image}'`);
  writeFileSync(join(folder, "env"), readFileSync(0));
  end(0, "id\n");
}
if (command === "exec") {
  const env = [];
  let cwd = "/";
  while (words[0]?.startsWith("-")) {
    const option = words.shift();
    if (option === "-w") cwd = words.shift();
    if (option === "-e") env.push(words.shift());
  }
  const folder = place("containers", words.shift());
  if (!existsSync(folder)) end(1, "", "No such container");
  const all = [...readFileSync(join(folder, "env"), "utf8").trim().split("\n"), ...env].filter(Boolean);
  const set = all.flatMap((pair) => [
    "--setenv",
    pair.slice(0, pair.indexOf("=")),
    pair.slice(pair.indexOf("=") + 1),
  ]);
  const mounts = [
    "--ro-bind",
    "/",
    "/",
    "--dev",
    "/dev",
    "--proc",
    "/proc",
    "--tmpfs",
    "/home",
    "--bind",
    join(folder, "home"),
    "/home/user",
    "--bind",
    join(folder, "tmp"),
    "/tmp",
  ];
  const ran = spawnSync(
    "bwrap",
    [
      ...mounts,
      "--clearenv",
      "--setenv",
      "PATH",
      process.env.PATH,
      "--setenv",
      "HOME",
      "/home/user",
      ...set,
      "--chdir",
      cwd,
      "--",
      ...words,
    ],
    { stdio: "inherit" },
  );
  end(ran.status ?? 1);
}
if (command === "commit") {
  const [from, image] = words.slice(-2);
  cpSync(place("containers", from), place("images", image), { recursive: true, verbatimSymlinks: true });
  end(0);
}
if (command === "cp") {
  const [from, to] = words;
  const [id, path] = to.split(":");
  cpSync(from, join(place("containers", id), "home", path.slice("/home/user".length)), {
    recursive: true,
    verbatimSymlinks: true,
  });
  end(0);
}
if (command === "image") {
  const image = words.at(-1);
  if (words[0] === "rm") rmSync(place("images", image), { recursive: true, force: true });
  else if (!existsSync(place("images", image))) end(1, "[]\n", `Error: No such image: ${image}\n`);
  end(0);
}
if (command === "inspect")
  end(
    existsSync(place("containers", words.at(-1))) ? 0 : 1,
    existsSync(place("containers", words.at(-1))) ? "true\n" : "",
  );
if (command === "port") end(0, "127.0.0.1:40960\n");
if (command === "rm") {
  rmSync(place("containers", words.at(-1)), { recursive: true, force: true });
  end(0);
}
end(1, "", `the double knows no ${command}`);
