// A double of the `docker` program, with as much of it as boxes use.
const { readFileSync } = require("node:fs");
const { machinesAt } = require("./machine.cjs");

const machines = machinesAt(process.env.DOUBLE_ROOT);
// Node would read `--env-file` of ours as its own, so that `--` stands before our words.
const [, command, ...words] = process.argv.slice(2);
const end = (code, out = "", err = "") => {
  process.stdout.write(out);
  process.stderr.write(err);
  process.exit(code);
};
const valueOf = (name) => words[words.indexOf(name) + 1];
const pairs = (lines) =>
  Object.fromEntries(lines.filter(Boolean).map((line) => [line.split("=", 1)[0], line.slice(line.indexOf("=") + 1)]));

function exec() {
  const env = [];
  let cwd = "/";
  while (words[0]?.startsWith("-")) {
    const option = words.shift();
    if (option === "-w") cwd = words.shift();
    if (option === "-e") env.push(words.shift());
  }
  const id = words.shift();
  if (!machines.exists(id)) end(1, "", "No such container");
  machines
    .start(id, words, { cwd, env: pairs(env), stdio: "inherit" })
    .on("close", (code) => process.exit(code ?? 137));
}

const commands = {
  run() {
    const image = words.at(-3);
    const made = machines.create(valueOf("--name"), image, pairs(readFileSync(0, "utf8").split("\n")));
    end(...(made ? [0, "id\n"] : [125, "", `Unable to find image '${image}'`]));
  },
  exec,
  commit() {
    machines.save(...words.slice(-2));
    end(0);
  },
  cp() {
    const [id, path] = words[1].split(":");
    machines.fill(id, words[0], path);
    end(0);
  },
  image() {
    const image = words.at(-1);
    if (words[0] === "rm") machines.removeImage(image);
    else if (!machines.hasImage(image)) end(1, "[]\n", `Error: No such image: ${image}\n`);
    end(0);
  },
  inspect: () => end(...(machines.exists(words.at(-1)) ? [0, "true\n"] : [1])),
  port: () => end(0, "127.0.0.1:40960\n"),
  rm() {
    machines.remove(words.at(-1));
    end(0);
  },
};
if (commands[command]) commands[command]();
else end(1, "", `the double knows no ${command}`);
