// `key`: the public key of this user.
import { define } from "../context/index.ts";

export const key = define({
  name: "key",
  group: "Set up",
  summary: "Print the public key by which others verify your commits",
  more: "The private key lies in your state folder and is used by this program alone. It is made at first use.",
  effect: "reads",
  input: {},
  handle: async (_, { ports }) => ports.publicKey(),
  cli: {},
});
