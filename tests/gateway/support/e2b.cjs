// A double of the package `e2b`, with as much of it as boxes use; its words and errors are those of its types as of 2.51.
// It is installed as `node_modules/e2b` of a folder, and keeps its machines in that folder.
const { endOf, machinesAt } = require("./machine.cjs");

class NotFoundError extends Error {
  name = "NotFoundError";
}
class TimeoutError extends Error {
  name = "TimeoutError";
}
class CommandExitError extends Error {
  name = "CommandExitError";
  constructor(ended) {
    super("exit");
    Object.assign(this, ended);
  }
}

exports.e2bAt = (root) => {
  const machines = machinesAt(root);
  const programs = new Map();
  let count = 0;

  class Sandbox {
    trafficAccessToken = "traffic";
    constructor(id) {
      this.sandboxId = id;
      this.commands = {
        async run(line, { background, stdin, cwd, envs, timeoutMs }) {
          if (!background) throw new Error("the double runs in the background only");
          const child = machines.start(id, ["/bin/bash", "-l", "-c", line], { cwd, env: envs });
          programs.set(child.pid, child);
          if (!stdin) child.stdin.end();
          let late = false;
          const timer = setTimeout(() => {
            late = true;
            child.kill("SIGKILL");
          }, timeoutMs);
          const ended = endOf(child).finally(() => clearTimeout(timer));
          return {
            pid: child.pid,
            async wait() {
              const { code, stdout, stderr } = await ended;
              if (late) throw new TimeoutError("deadline exceeded");
              const told = {
                exitCode: code,
                stdout: stdout.toString("utf8"),
                stderr: stderr.toString("utf8"),
              };
              if (code !== 0) throw new CommandExitError(told);
              return told;
            },
          };
        },
        sendStdin: async (pid, data) => void programs.get(pid).stdin.write(data),
        closeStdin: async (pid) => void programs.get(pid).stdin.end(),
      };
    }
    getHost = (port) => `${port}-${this.sandboxId}.e2b.app`;
    isRunning = async () => machines.exists(this.sandboxId);
    setTimeout = async () => undefined;
    async createSnapshot({ name }) {
      machines.save(this.sandboxId, name);
      return { snapshotId: `${name}:latest`, names: [name] };
    }
    async kill() {
      machines.remove(this.sandboxId);
      return true;
    }
    static async create(template, { envs }) {
      const id = `sbx${(count += 1)}${process.hrtime.bigint()}`;
      if (!machines.create(id, template, envs)) throw new NotFoundError(`template '${template}' not found`);
      return new Sandbox(id);
    }
    static async connect(id) {
      if (!machines.exists(id)) throw new NotFoundError(`Paused sandbox ${id} not found`);
      return new Sandbox(id);
    }
    static listSnapshots = ({ name }) => ({
      hasNext: true,
      nextItems: async () => (machines.hasImage(name) ? [{ snapshotId: name, names: [name] }] : []),
    });
    static async deleteSnapshot(name) {
      machines.removeImage(name);
      return true;
    }
  }
  return { Sandbox, NotFoundError, TimeoutError, CommandExitError };
};
