// Notices to the user: try the ways that the user's own configuration names.
import { exitCodes, fail } from "../../core/contract/index.ts";
import { define } from "../context/index.ts";

export const notifyTest = define({
  name: "notify test",
  group: "Set up",
  summary: "Send a test notice by every way that you have set",
  more: "The process that works on a run sends a notice when a gate begins to wait and when the run has ended. Set the ways for all your repositories: notify.desktop, notify.bell, notify.webhook (JSON by POST), notify.push (text by POST, as ntfy takes it), notify.command (your program; it gets the JSON on its standard input), and notify.page (the address of your page, for links).",
  examples: [
    "thehood config set notify.desktop true",
    "thehood config set notify.push https://ntfy.example.com/my-topic",
    "thehood notify test",
  ],
  effect: "decides",
  input: {},
  async handle(_, { ports, folder }) {
    const sent = await ports.notify(
      {
        event: "test",
        runId: null,
        title: "thehood: a test",
        text: "Notices of your runs will arrive here.",
        next: "thehood status",
      },
      folder,
    );
    if (sent.length === 0)
      fail("not_found", "No way of sending notices is set.", {
        remedy: "Set one, for example: thehood config set notify.desktop true",
      });
    return { ok: sent.every((one) => one.sent), sent };
  },
  cli: { exit: ({ ok }) => (ok ? exitCodes.ok : exitCodes.failure) },
});
