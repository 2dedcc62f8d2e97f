// News about the agents and checks of a run, folded into what each of them does at present. Texts are still raw here.
import type { Activity, ActivityNews } from "../../../core/contract/index.ts";

/** More at once than a fan-out can have. */
const most = 16;
/** Far more than is shown, so that a secret in the shown part is whole. */
const held = 8_192;

export function withNews(now: readonly Activity[], news: ActivityNews, at: number): readonly Activity[] {
  const others = now.filter(({ id }) => id !== news.id);
  if (news.over) return others;
  const { id, who, does, says, growing = false, usage } = news;
  const before = now.find((one) => one.id === id);
  return [
    ...others,
    {
      id,
      who,
      since: before?.since ?? at,
      does: does === undefined ? (before?.does ?? null) : { text: does.slice(0, held), at },
      says: says === undefined ? (before?.says ?? null) : { text: says.slice(-held), at, growing },
      usage: usage ?? before?.usage ?? null,
    },
  ].slice(-most);
}
