// What a call cost: as its provider reported, else estimated from its tokens by the price that the run was created with.
import { tokensCost, type Price, type ResolvedAssignment, type Usage } from "../../contract/index.ts";

export interface Cost {
  readonly usd: number;
  readonly estimated: boolean;
}

type Priced = Pick<ResolvedAssignment, "modelBacked" | "price">;

/** Counted for a model without a known price where the money of the run is limited: the list price of a dear model. */
export const unknownPrice: Price = { input: 5, output: 30 };

const limitPrice = ({ modelBacked, price }: Priced): Price | null => price ?? (modelBacked ? unknownPrice : null);

/** The price that a call in progress is measured by; only money that is limited needs one. */
export const measuredBy = (assignment: Priced, usd: number | null): { price?: Price } => {
  const price = usd === null ? null : limitPrice(assignment);
  return price === null ? {} : { price };
};

/** Null where nothing is known about the cost. `limited`: the run has a limit in money, so an unknown price counts too. */
export function costOf(assignment: Priced, usage: Usage, limited: boolean): Cost | null {
  if (usage.costUsd !== undefined) return { usd: usage.costUsd, estimated: false };
  if (!assignment.modelBacked) return { usd: 0, estimated: false };
  const price = limited ? limitPrice(assignment) : (assignment.price ?? null);
  if (price === null) return null;
  const usd = tokensCost(price, usage);
  return { usd, estimated: usd > 0 };
}
