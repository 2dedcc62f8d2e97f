// `top`: the runs of a person on one screen. A terminal shows them live; the data is that of `home`.
import { define } from "../context/index.ts";
import { whole, withDefault } from "../define/index.ts";

export const top = define({
  name: "top",
  group: "Look",
  summary: "Your runs on one screen, live: look at them and decide; thehood alone opens it too",
  more: "Keys are shown where they apply, ? explains them, and every action shows the command it equals. Where no person sits at a terminal it prints what thehood status prints.",
  examples: ["thehood top", "thehood"],
  effect: "reads",
  input: { limit: withDefault(whole("how many runs (default 200)", { min: 1, max: 10_000 }), 200) },
  async handle({ limit }, context) {
    const { everywhere } = await import("../run-data/everywhere.ts");
    return { limit, home: await everywhere(context, { limit, search: "", group: undefined }) };
  },
  cli: {},
});
