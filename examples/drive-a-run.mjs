// Drives a run from a program: starts it, tells what happens, and stops at the gate that needs a person.
// node examples/drive-a-run.mjs FOLDER "what you want done"
import process from "node:process";
import { openHood } from "thehood";

const say = (line) => process.stdout.write(`${line}\n`);
const [repo = ".", goal = "Make add() add"] = process.argv.slice(2);
const hood = openHood({
  repo,
  name: "example",
  watcher: { event: ({ seq, event }) => say(`${seq} ${event.type}`) },
});

const { runId, stop, status } = await hood.start({ goal });
say(`${runId} ${stop}: ${status.state}`);
if (status.gate) say(`A person decides: ${status.gate.title}`);

const { total } = await hood.call("runs", { limit: 5 });
say(`${total} runs in this repository`);
