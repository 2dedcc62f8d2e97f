// The words of a goal that can name something in a tree.

const stop = new Set(
  "the a an and or of to in on for with from into that this then when make makes made add adds fix fixes use uses should must not is are be it its as by at we you our all any new old more less than so do does done can could would will please need needs want code file files test tests".split(
    " ",
  ),
);

/** `parseUserName` and `parse_user-name` are the same three words. */
export function wordsOfText(text: string): string[] {
  return text
    .replaceAll(/([a-z0-9])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word.length >= 3);
}

export function wordsOfGoal(goal: string): Set<string> {
  return new Set(wordsOfText(goal).filter((word) => !stop.has(word)));
}

/** Things in a text that look like a path: with a slash or with an extension. */
export function pathsInText(text: string): string[] {
  const found = text.matchAll(
    /[A-Za-z0-9_@.~-]*(?:\/[A-Za-z0-9_@.~[\]()-]+)+|[A-Za-z0-9_-]+\.[A-Za-z][A-Za-z0-9]{0,5}\b/g,
  );
  return [...new Set([...found].map((match) => match[0].replace(/^\.\//, "").replace(/[.)]+$/, "")))];
}
