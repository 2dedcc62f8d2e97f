// What comes back when the other side does what it should, and when it says the wrong thing.
import { type AskedRole, contractOfRole, readResponse } from "../../../src/core/contract/index.ts";
import { type Asked, type ConformanceCase, asking, must, mustFail, told } from "./ask.ts";
import { printOf } from "./place.ts";
import type { ConformanceSubject } from "./subject.ts";

const roles = Object.keys(contractOfRole) as AskedRole[];

function readBack(asked: Asked) {
  const { answer, call } = asked;
  must(answer?.outcome === "answered", told(asked));
  return readResponse(call.contract, answer.text, call.ack);
}

export function answerCases(subject: ConformanceSubject): ConformanceCase[] {
  return roles.map((role) => ({
    title: `answers as ${role} within its contract and with the current marker`,
    ...asking(subject, "answers", { role }, async (asked) => {
      const read = readBack(asked);
      must(read.ok, read.ok ? "" : read.refusal.message);
      must(read.response.status === "ok", `status ${read.response.status}`);
      if (role === "implementer") return;
      must((await printOf(asked.dir)) === asked.before, `the ${role} wrote in the repository`);
    }),
  }));
}

export function wordCases(subject: ConformanceSubject): ConformanceCase[] {
  return [
    {
      title: "a model that refuses is a failure or an answer that is not accepted as ok",
      ...asking(subject, "refuses", {}, (asked) => {
        if (asked.answer?.outcome !== "answered") return mustFail(asked);
        const read = readBack(asked);
        return must(!read.ok || read.response.status !== "ok", "a refusal passed for an answer");
      }),
    },
    {
      title: "garbage is a failure or an answer that is refused, never one that is accepted",
      ...asking(subject, "garbage", {}, (asked) => {
        if (asked.answer?.outcome !== "answered") return mustFail(asked);
        return must(!readBack(asked).ok, "garbage passed for an answer");
      }),
    },
    {
      title: "[R-21] an answer to an earlier directive comes back as it is, and is refused as stale",
      ...asking(subject, "staleAck", {}, (asked) => {
        const read = readBack(asked);
        must(!read.ok && read.refusal.reason === "ack_stale", told(asked));
      }),
    },
    {
      title: "an answer over the limit is not handed on",
      ...asking(subject, "oversize", { maxAnswerBytes: 10_000 }, (asked) => {
        const { answer } = asked;
        must(answer?.outcome === "oversize", told(asked));
        must(answer.text.length <= 10_000, `${answer.text.length} characters were handed on`);
      }),
    },
  ];
}
