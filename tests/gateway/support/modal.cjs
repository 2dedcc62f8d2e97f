// A double of the package `modal`, with as much of it as boxes use; its words and errors are those of its types as of 0.11.
const { endOf, machinesAt } = require("./machine.cjs");

class NotFoundError extends Error {
  name = "NotFoundError";
}
class SandboxTimeoutError extends Error {
  name = "SandboxTimeoutError";
}

exports.modalAt = (root) => {
  const machines = machinesAt(root);
  let count = 0;
  const next = () => `${(count += 1)}${process.hrtime.bigint()}`;

  const sandboxOf = (id) => ({
    sandboxId: id,
    async exec(argv, { mode, workdir, env, timeoutMs }) {
      if (mode !== "binary") throw new Error("the double speaks bytes only");
      const child = machines.start(id, argv, { cwd: workdir, env });
      let late = false;
      const timer = setTimeout(() => {
        late = true;
        child.kill("SIGKILL");
      }, timeoutMs);
      const ended = endOf(child).finally(() => clearTimeout(timer));
      // A program that ends before it has read its input is told by its exit code.
      child.stdin.on("error", () => undefined);
      return {
        stdin: {
          writeBytes: async (bytes) => void child.stdin.write(bytes),
          close: async () => void child.stdin.end(),
        },
        stdout: { readBytes: async () => (await ended).stdout },
        stderr: { readBytes: async () => (await ended).stderr },
        async wait() {
          const { code } = await ended;
          if (late) throw new SandboxTimeoutError("timeout");
          return code;
        },
      };
    },
    tunnels: async () => ({ 4096: { url: `https://${id}.modal.host` } }),
    async snapshotFilesystem() {
      const imageId = `im-${next()}`;
      machines.save(id, imageId);
      return {
        imageId,
        async publish(name) {
          const helper = `publish-${next()}`;
          machines.create(helper, imageId, {});
          machines.save(helper, name);
          machines.remove(helper);
        },
      };
    },
    poll: async () => (machines.exists(id) ? null : 137),
    terminate: async () => machines.remove(id),
  });

  class ModalClient {
    apps = { fromName: async (name) => ({ name }) };
    images = {
      fromRegistry: (tag) => ({ imageId: tag }),
      async fromName(name) {
        if (!machines.hasImage(name)) throw new NotFoundError(`image ${name} not found`);
        return { imageId: name };
      },
      delete: async (imageId) => machines.removeImage(imageId),
    };
    sandboxes = {
      async create(_app, { imageId }, { env, encryptedPorts }) {
        if (!encryptedPorts.includes(4096)) throw new Error("the agent's port is closed");
        const id = `sb-${next()}`;
        if (!machines.create(id, imageId, env)) throw new NotFoundError(`no image ${imageId}`);
        return sandboxOf(id);
      },
      async fromId(id) {
        if (!machines.exists(id)) throw new NotFoundError(`Sandbox with id: '${id}' not found`);
        return sandboxOf(id);
      },
    };
  }
  return { ModalClient, NotFoundError };
};
