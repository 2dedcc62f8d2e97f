// The fields of the looks at a checkout.
import { text, whole, withDefault } from "../define/index.ts";

export const path = withDefault(
  text("below the root; everything without", {
    max: 4_096,
    mcp: { about: "Below the root; everything without." },
  }),
  "",
);
export const offset = withDefault(whole("start here", { min: 0 }), 0);
export const maxBytes = withDefault(whole("at most this much", { min: 1, max: 200_000 }), 20_000);
export const maxEntries = withDefault(whole("at most this many", { min: 1, max: 1_000 }), 200);
