// Loaded before the program: at the first event that is written, prints the files of the source that the call went
// through, in their order, also across the places where a promise was waited for.
import { createHook, executionAsyncId } from "node:async_hooks";
import { DatabaseSync } from "node:sqlite";

Error.stackTraceLimit = 200;
const parents = new Map();
const stacks = new Map();
const stackHere = () => {
  const here = {};
  Error.captureStackTrace(here);
  return here.stack;
};
createHook({
  init(id) {
    parents.set(id, executionAsyncId());
    stacks.set(id, stackHere());
  },
}).enable();

const filesOf = (stack) =>
  stack
    .split("\n")
    .flatMap((line) => /\/src\/([^:]+\.ts):/.exec(line)?.[1] ?? [])
    .toReversed();

function told() {
  const calls = [filesOf(stackHere())];
  for (let id = executionAsyncId(); stacks.has(id); id = parents.get(id)) calls.unshift(filesOf(stacks.get(id)));
  process.stderr.write(`walked ${JSON.stringify([...new Set(calls.flat())])}\n`);
}

let isFirst = true;
const { prepare } = DatabaseSync.prototype;
DatabaseSync.prototype.prepare = function prepareTraced(sql) {
  const statement = prepare.call(this, sql);
  if (!isFirst || !sql.startsWith("INSERT INTO events")) return statement;
  isFirst = false;
  const run = statement.run.bind(statement);
  statement.run = (...values) => {
    told();
    statement.run = run;
    return run(...values);
  };
  return statement;
};
