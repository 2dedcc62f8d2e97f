// Busy servers, missing keys and programs, misspelt models: who is told what.
import { type ConformanceCase, asking, isCannot, must, mustFail, told } from "./ask.ts";
import type { ConformanceSubject } from "./subject.ts";

/** More questions than this are no longer patience. */
const mostAsked = 12;

export function busyCases(subject: ConformanceSubject): ConformanceCase[] {
  const again = (name: "busyOnce" | "overloadedOnce") =>
    asking(subject, name, {}, (asked) => {
      must(asked.answer?.outcome === "answered", told(asked));
      must((asked.scene.asked?.() ?? 2) >= 2, "it was not asked a second time");
    });
  return [
    { title: "a server that is busy (429) is asked again", ...again("busyOnce") },
    { title: "a server that is overloaded (529) is asked again", ...again("overloadedOnce") },
    {
      title: "a server that stays busy is given up on, and that is said",
      ...asking(subject, "alwaysBusy", {}, (asked) => {
        mustFail(asked);
        const times = asked.scene.asked?.() ?? 1;
        must(times >= 1 && times <= mostAsked, `it was asked ${times} times`);
      }),
    },
  ];
}

export function presenceCases(subject: ConformanceSubject): ConformanceCase[] {
  return [
    {
      title: "send rejects with provider_unavailable and a remedy when there is no agent to ask",
      ...asking(subject, "absent", {}, async (asked) => {
        must(asked.failure?.code === "provider_unavailable", told(asked));
        must(Boolean(asked.failure.remedy), "no remedy was given");
        const health = await asked.scene.provider.examine?.();
        must(health === undefined || health.problem !== null, "examine saw no problem");
      }),
    },
    {
      title: "without a login the failure says how to get one, and examine says the same",
      ...asking(subject, "loginMissing", {}, async (asked) => {
        mustFail(asked);
        if (asked.failure) must(Boolean(asked.failure.remedy), "no remedy was given");
        const health = await asked.scene.provider.examine?.();
        must(health === undefined || health.login !== "present", "examine says that a user is logged in");
      }),
    },
    {
      title: "a provider that is there says so without a problem, and its models can be asked for",
      ...asking(subject, "answers", {}, async ({ scene }) => {
        const health = await scene.provider.examine?.();
        if (health === undefined) return;
        must(health.installed && health.problem === null, `problem: ${health.problem ?? "not installed"}`);
        for (const model of health.models) must(scene.provider.resolve(model).ok, `it offers ${model} and refuses it`);
      }),
    },
  ];
}

export function modelCases(subject: ConformanceSubject): ConformanceCase[] {
  const { typo } = subject;
  return [
    {
      title: "a model resolves to the same identity every time",
      ...asking(subject, "answers", {}, ({ scene }) => {
        const [first, second] = [1, 2].map(() => scene.provider.resolve(scene.model));
        must(first?.ok === true && second?.ok === true, "the model does not resolve");
        must(first.identity === second.identity, "the identity changed");
      }),
    },
    {
      title: "an unknown model is refused, with the nearest name in the remedy",
      ...(isCannot(typo)
        ? { skip: typo.cannot, run: () => Promise.resolve() }
        : asking(subject, "answers", {}, ({ scene }) => {
            const resolved = scene.provider.resolve(typo.wrote);
            must(!resolved.ok, `${typo.wrote} was taken for a model`);
            must(resolved.problem.includes(typo.wrote), "the problem does not name what was written");
            must(resolved.remedy.includes(typo.meant), `the remedy does not offer ${typo.meant}: ${resolved.remedy}`);
          })),
    },
  ];
}
