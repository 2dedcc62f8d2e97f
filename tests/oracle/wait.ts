// Waits in tests: for a condition, with an end.
export async function waitFor(what: () => boolean, about = "it"): Promise<void> {
  for (let tries = 0; !what(); tries += 1) {
    if (tries > 600) throw new Error(`${about} did not happen`);
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}
