// Every call ends: at its deadline, at the signal, when the other side is gone; and then nothing of it runs any more.
import { type ConformanceCase, asking, must, mustFail, told } from "./ask.ts";
import type { ConformanceSubject } from "./subject.ts";

const hugePrompt = "x".repeat(2_000_000);

export function endCases(subject: ConformanceSubject): ConformanceCase[] {
  const timeoutMs = subject.patienceMs ?? 100;
  return [
    {
      title: "a silent provider ends at the deadline as timed_out",
      ...asking(subject, "silent", { timeoutMs }, (asked) => must(asked.answer?.outcome === "timed_out", told(asked))),
    },
    {
      title: "an answer that stops in its middle ends at the deadline, and its beginning is no answer",
      ...asking(subject, "stallsMidStream", { timeoutMs }, (asked) => {
        must(asked.answer?.outcome === "timed_out", told(asked));
        must(asked.answer.text === "", "the beginning was handed on");
      }),
    },
    {
      title: "the signal ends a silent call at once as aborted",
      ...asking(subject, "silent", { abort: true }, (asked) => must(asked.answer?.outcome === "aborted", told(asked))),
    },
    {
      title: "the signal ends a call in the middle of its answer as aborted",
      ...asking(subject, "stallsMidStream", { abort: true }, (asked) =>
        must(asked.answer?.outcome === "aborted", told(asked)),
      ),
    },
    {
      title: "an end before the first word is a failure with a reason, not an exception",
      ...asking(subject, "exitsAtOnce", {}, mustFail),
    },
    {
      title: "an end before the prompt was read breaks nothing here",
      ...asking(subject, "exitsUnread", { prompt: hugePrompt }, mustFail),
    },
    {
      title: "a crash in the middle of the answer is a failure, and what had come is no answer",
      ...asking(subject, "crashesMidStream", {}, (asked) => {
        mustFail(asked);
        must((asked.answer?.text ?? "") === "", "half an answer was handed on");
      }),
    },
  ];
}
