// A change of a file, as the lines that go and the lines that come.

const around = 2;

/** Empty when nothing changes. One hunk: our edits stand together, or at the end of the file. */
export function previewHost(before: string, after: string, file: string): string {
  if (before === after) return "";
  const old = before === "" ? [] : before.replace(/\n$/, "").split("\n");
  const now = after.replace(/\n$/, "").split("\n");
  let head = 0;
  while (head < old.length && head < now.length && old[head] === now[head]) head += 1;
  let tail = 0;
  while (tail < old.length - head && tail < now.length - head && old.at(-1 - tail) === now.at(-1 - tail))
    tail += 1;
  const from = Math.max(0, head - around);
  const shownTail = Math.min(tail, around);
  const lines = [
    ...old.slice(from, head).map((line) => ` ${line}`),
    ...old.slice(head, old.length - tail).map((line) => `-${line}`),
    ...now.slice(head, now.length - tail).map((line) => `+${line}`),
    ...now.slice(now.length - tail, now.length - tail + shownTail).map((line) => ` ${line}`),
  ];
  const oldCount = head - from + (old.length - tail - head) + shownTail;
  const newCount = head - from + (now.length - tail - head) + shownTail;
  const at = (count: number) => (count === 0 ? "0,0" : `${from + 1},${count}`);
  return [
    `--- ${before === "" ? "/dev/null" : file}`,
    `+++ ${file}`,
    `@@ -${at(oldCount)} +${at(newCount)} @@`,
    ...lines,
    "",
  ].join("\n");
}
