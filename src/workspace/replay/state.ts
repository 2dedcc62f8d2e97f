// Calls that tests make more than once with other results, and calls for which a variable was set: the work may choose both. The
// base commit gives outside what was recorded, and the work does not. Pure.
import type { Doubt } from "../../core/contract/index.ts";
import type { RecordedCall, VariousCall } from "./calls.ts";
import { type End, endKey, type Folders } from "./ends.ts";
import { type Compared, placeOf } from "./judge.ts";
import type { PlannedCall, Played } from "./played.ts";
import { showCall, showEnd } from "./show.ts";

export const labels = { state: "state", unset: "unset" } as const;

const withoutVariables = ({ end: _end, e: _e, ...call }: RecordedCall, i: number): PlannedCall => ({ ...call, i });

/** In processes of their own: what other calls leave behind is not to be met. */
export const stateTurns = (calls: readonly RecordedCall[], various: readonly VariousCall[]) =>
  [
    {
      label: labels.state,
      calls: various.map(({ end: _end, ends: _ends, ...call }, i): PlannedCall => ({ ...call, i })),
    },
    { label: labels.unset, calls: calls.flatMap((call, i) => (call.e ? [withoutVariables(call, i)] : [])) },
  ].flatMap((one) => (one.calls.length === 0 ? [] : [{ ...one, times: 2 }]));

interface Sides {
  readonly work: ReadonlyMap<string, Played>;
  readonly base: ReadonlyMap<string, Played> | undefined;
  readonly folders: Folders;
}

/** The ends outside, where the base commit gives one of those that were recorded and the work gives none of them. */
function otherEnd({ work, base, folders }: Sides, label: string, i: number, ends: readonly End[]) {
  const [now, before] = [work.get(label)?.ends.get(i), base?.get(label)?.ends.get(i)];
  const isRecorded = (end: End) => ends.some((one) => endKey(one, folders) === endKey(end, folders));
  if (!now || !before || now.varies || before.varies || isRecorded(now.end) || !isRecorded(before.end)) return null;
  return { now: now.end, before: before.end };
}

export function stateDoubts(various: readonly VariousCall[], compared: readonly Compared[], sides: Sides): Doubt[] {
  const ofState = various.flatMap((call, i): Doubt[] => {
    const found = otherEnd(sides, labels.state, i, call.ends);
    if (!found) return [];
    const measure = `${showCall(call)} gives ${call.ends.map(showEnd).join(" or ")} under the tests and ${showEnd(found.now)} in a plain process without them; on the base commit it gives ${showEnd(found.before)} there`;
    return [{ kind: "replay", place: placeOf(call), measure }];
  });
  const ofVariables = compared.flatMap(({ call, i }): Doubt[] => {
    const found = call.e ? otherEnd(sides, labels.unset, i, [call.end]) : null;
    if (!found) return [];
    const names = Object.keys(call.e ?? {}).join(", ");
    const measure = `${showCall(call)} gives ${showEnd(call.end)} under the tests and ${showEnd(found.now)} where ${names} is not set; on the base commit it gives ${showEnd(found.before)} there too`;
    return [{ kind: "replay", place: placeOf(call), measure }];
  });
  return [...ofState.slice(0, 3), ...ofVariables.slice(0, 3)];
}
