// A reporter of mocha: prints like `spec`, which is mocha's own choice, and tells each test over the channel. Mocha runs
// tests and reporters in one process.
"use strict";
const { basename } = require("node:path");
const { createRequire } = require("node:module");
const { openChannel } = require("./channel.cjs");

const { reporters } = createRequire(require.main?.filename ?? `${process.cwd()}/x`)("mocha");

module.exports = class Report extends reporters.Spec {
  constructor(runner, options) {
    super(runner, options);
    const channel = openChannel("mocha");
    const nameOf = (test) => [basename(test.file ?? ""), ...test.titlePath()].join(" > ");
    runner.on("pass", (test) => channel.test(nameOf(test), "passed"));
    runner.on("fail", (test) => channel.test(nameOf(test), "failed"));
    runner.on("pending", (test) => channel.test(nameOf(test), "left"));
    this.closed = new Promise((resolve) => {
      runner.once("end", () => resolve(channel.end(runner.total, runner.failures > 0)));
    });
  }

  /** Mocha waits for it before it ends its process. */
  async done(failures, callback) {
    await this.closed;
    callback(failures);
  }
};
