// A reporter of `node --test`: prints like the one that Node would take, and tells each test over the channel. It runs in
// the process that starts the test files.
"use strict";
const { basename } = require("node:path");
const { Readable } = require("node:stream");
const reporters = require("node:test/reporters");
const { openChannel } = require("./channel.cjs");

// Test files, and programs that they start, get the options that the user gave and no more.
const others = (process.env.NODE_OPTIONS ?? "").split(" ").filter((word) => !word.includes(__filename));
if (others.join("") === "") delete process.env.NODE_OPTIONS;
else process.env.NODE_OPTIONS = others.join(" ");

const endOf = (type, { skip, todo }) => {
  if (skip !== undefined && skip !== false) return "left";
  if (todo !== undefined && todo !== false) return "left";
  return type === "test:pass" ? "passed" : "failed";
};

async function* overheard(events, channel) {
  let failed = 0;
  const above = [];
  for await (const event of events) {
    const { type, data } = event;
    if (type === "test:start") above.splice(data.nesting, above.length, data.name);
    if ((type === "test:pass" || type === "test:fail") && data.details?.type !== "suite") {
      const ended = endOf(type, data);
      if (ended === "failed") failed += 1;
      const names = [...above.slice(0, data.nesting), data.name];
      channel.test([basename(data.file ?? ""), ...names].join(" > "), ended);
    }
    // Node itself calls a run failed whose suite or file failed, although each test of it passed.
    else if (type === "test:fail" && endOf(type, data) === "failed") failed += 1;
    yield event;
  }
  await channel.end(null, failed > 0);
}

module.exports = async function* report(source) {
  const events = overheard(source, openChannel("node"));
  // Since Node 23 a terminal and a pipe get the same words.
  const isSpec = Number.parseInt(process.versions.node, 10) >= 23 || process.stdout.isTTY;
  yield* isSpec ? Readable.from(events).compose(new reporters.spec()) : reporters.tap(events);
};
