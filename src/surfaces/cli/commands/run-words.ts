// The words by which commands name a run.
export const run = { name: "run", help: "a run id, or a unique beginning of one" };
export const latestRun = {
  name: "run",
  optional: true,
  help: "a run id, or a unique beginning of one (default: the newest run)",
};
