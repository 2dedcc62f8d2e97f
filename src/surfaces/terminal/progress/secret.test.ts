import { expect, it } from "vitest";
import { askSecret } from "./secret.ts";

it("[A-46] the question is asked when the terminal shows no typed keys any more", async () => {
  const steps: string[] = [];
  const device = {
    take: (hears: { text(piece: string): void }) => {
      steps.push("taken");
      queueMicrotask(() => hears.text("word\r"));
      return { [Symbol.dispose]: () => void steps.push("given back") };
    },
  };
  await expect(askSecret(device, "KEY: ", (text) => void steps.push(text))).resolves.toBe("word");
  expect(steps).toEqual(["taken", "KEY: ", "given back", "\n"]);
});
