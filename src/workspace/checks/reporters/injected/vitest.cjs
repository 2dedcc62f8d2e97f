// A reporter of vitest, beside the one that prints. It runs in vitest's main process; test files run in workers.
"use strict";
const { basename } = require("node:path");
const { openChannel } = require("./channel.cjs");

const ends = { pass: "passed", passed: "passed", fail: "failed", failed: "failed" };

module.exports = class Report {
  onInit() {
    this.channel = openChannel("vitest");
  }

  // vitest calls it once, at the very end, with all files; newer ones know it by another name.
  onFinished(files = [], errors = []) {
    return this.finish(files, errors);
  }

  onTestRunEnd(modules = [], errors = []) {
    return this.finish(
      modules.map((one) => one.task ?? one),
      errors,
    );
  }

  finish(files, errors) {
    if (this.ended) return this.ended;
    let failed = errors.length > 0;
    const walk = (task, above) => {
      const names = [...above, task.name];
      if (task.type === "suite" || task.tasks) {
        failed ||= task.result?.state === "fail";
        for (const inner of task.tasks ?? []) walk(inner, names);
      } else this.channel.test(names.join(" > "), ends[task.result?.state] ?? "left");
    };
    for (const file of files) {
      failed ||= file.result?.state === "fail";
      for (const task of file.tasks ?? []) walk(task, [basename(file.name ?? file.filepath ?? "")]);
    }
    this.ended = this.channel.end(null, failed);
    return this.ended;
  }
};
