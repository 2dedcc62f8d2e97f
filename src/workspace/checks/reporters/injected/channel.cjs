// Tells the results of a test runner over the socket that lies beside this file. Runs inside the user's test runner.
"use strict";
const { connect } = require("node:net");
const { join } = require("node:path");

// Taken before any judged code runs: that code may change them for everybody later.
const { stringify } = JSON;

/** A channel that breaks is silent: the runner goes on as if it were alone, and the missing end is seen outside. */
exports.openChannel = (runner) => {
  const socket = connect(join(__dirname, "socket"));
  const write = socket.write.bind(socket);
  const end = socket.end.bind(socket);
  socket.on("error", () => socket.destroy());
  socket.unref();
  const tell = (record) => socket.destroyed || write(`${stringify(record)}\n`);
  tell({ runner });
  return {
    /** ended: "passed", "failed", "left" (it did not run), or "excused" (it ran, and its failure was expected). */
    test: (name, ended) => tell({ name: String(name), ended }),
    /** Waits until all of it is sent: many runners end their process at once. */
    end: (planned, failed) =>
      new Promise((resolve) => {
        if (socket.destroyed) return resolve();
        socket.ref();
        socket.once("close", resolve);
        end(`${stringify({ planned, failed })}\n`);
      }),
  };
};
