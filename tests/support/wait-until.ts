// Waiting for a condition, with an end: a loop that nobody stops would outlive its test.
export async function waitUntil(
  check: () => boolean | Promise<boolean>,
  about: string,
  { every = 50, most = 240_000 } = {},
): Promise<void> {
  const end = Date.now() + most;
  while (!(await check())) {
    if (Date.now() > end) throw new Error(`waited ${most} ms in vain: ${about}`);
    await new Promise((again) => setTimeout(again, every));
  }
}
