/** The length of a duration such as `1h30m`, in minutes. */
export function minutes(text) {
  const found = /(\d+)m/.exec(text);
  return Number(found[1]);
}
