// Arguments that clients of the public preview, or of steipete/oracle, give and no schema lists: those that mean the same are taken under their
// name here, the others are refused with the name that does it here.
import { fail, isRecord } from "../../../core/contract/index.ts";

type Given = Readonly<Record<string, unknown>>;

/** One argument: what it becomes, or why it is refused. */
type Former =
  /** The same under another name; `value` says how it is written here. */
  | { readonly as: string; readonly value?: (given: unknown) => unknown }
  /** The same, in a field of the operation that the schema of the tool does not list. */
  | { readonly field: string; readonly name: string; readonly value?: (given: unknown) => unknown }
  /** It changes nothing of what the tool does. */
  | { readonly idle: true }
  /** Taken while it is so; else refused for this reason. */
  | {
      readonly fits: (given: unknown, args: Given) => boolean;
      readonly else: string;
      readonly code?: "permission_denied";
    };

const not = (given: unknown): unknown => (typeof given === "boolean" ? !given : given);

const steps: Former = { fits: () => false, else: "a round has no number of steps here; give max_cycles instead" };
const rounds: Former = { field: "maxCycles", name: "max_cycles" };
const starting = {
  auto_loop: { field: "noLoop", name: "no_loop", value: not },
  max_cycles: rounds,
  max_steps_per_cycle: steps,
} as const;

/** A client that passes a gate would approve its own work. */
const noApproval =
  "a program passes no gate here, whatever it writes: a person decides, in a terminal (thehood approve, reject, revise), on the page (thehood web), or in a form where thehood_approve is offered";
const deciding: Readonly<Record<string, Former>> = {
  approval: { fits: (given) => given === "none", else: noApproval, code: "permission_denied" },
  message: { fits: () => false, else: noApproval, code: "permission_denied" },
};

/** Words of steipete/oracle for how hard a model thinks. */
const thinking: Readonly<Record<string, string>> = {
  light: "low",
  standard: "medium",
  extended: "high",
  heavy: "xhigh",
};

/** Arguments of the tool of the same name in steipete/oracle. */
const consulting: Readonly<Record<string, Former>> = {
  files: { as: "file" },
  browserModelLabel: { as: "model" },
  browserThinkingTime: { as: "reasoningEffort", value: (given) => thinking[String(given)] ?? given },
  browserFollowUps: { as: "next" },
  browserKeepBrowser: { idle: true },
  browserAttachments: { idle: true },
};

const formerArguments: Readonly<Record<string, Readonly<Record<string, Former>>>> = {
  thehood_plan: starting,
  thehood_orchestrate: starting,
  thehood_loop: { max_cycles: rounds, max_steps_per_cycle: steps },
  thehood_continue: { ...deciding, max_cycles: rounds },
  thehood_reconcile: deciding,
  thehood_model_access: {
    agents: { fits: () => false, else: 'give role_mapping instead, such as {"planner": "chatgpt-web:chatgpt-pro"}' },
    constraints: { idle: true },
  },
  thehood_pro_access: { goal: { idle: true }, constraints: { idle: true } },
  thehood_fanout: {
    max_items: {
      fits: (most, { items }) => typeof most === "number" && Array.isArray(items) && items.length <= most,
      else: "it must be a number, and items must hold no more than that",
    },
  },
  consult: consulting,
  thehood_repo_tree: { max_depth: { as: "depth" } },
  thehood_repo_search: {
    max_results: { as: "max_hits" },
    case_sensitive: { as: "ignore_case", value: not },
    globs: { field: "globs", name: "globs" },
  },
};

interface Renamed {
  readonly args: unknown;
  /** Fields of the operation that the arguments may name beside those of the schema. */
  readonly unlisted: readonly string[];
}

const itemNames: Readonly<Record<string, string>> = { summon_kind: "kind", evidenceRefs: "evidence_refs" };

/** The items of a fan-out, with the names of their parts. */
function renamedItem(item: unknown): unknown {
  if (!isRecord(item)) return item;
  return Object.fromEntries(
    Object.entries(item).map(([name, value]) => {
      const now = Object.hasOwn(itemNames, name) ? itemNames[name] : undefined;
      return [now !== undefined && !Object.hasOwn(item, now) ? now : name, value];
    }),
  );
}

/** `context_kind` was the choice, and `purpose` a text about it. */
function renamedPurpose({ context_kind: kind, ...args }: Given): Given {
  if (kind === "repo_context" || kind === "progress_packet") return { ...args, purpose: kind };
  return fail("invalid_input", "context_kind: give purpose instead: repo_context or progress_packet.", {
    remedy:
      "Without repository context nothing of it is sent, and a connector is chosen by the runtime; there is no preflight for those.",
  });
}

function renamedValues(tool: string, args: Given): Given {
  if (tool === "thehood_model_access" && "context_kind" in args) return renamedPurpose(args);
  if (tool === "thehood_fanout" && Array.isArray(args["items"]))
    return { ...args, items: args["items"].map(renamedItem) };
  return args;
}

/** The arguments under the names of this version. */
export function renamedArguments(tool: string, given: unknown): Renamed {
  const table = Object.hasOwn(formerArguments, tool) ? formerArguments[tool] : undefined;
  if (!table || !isRecord(given)) return { args: given, unlisted: [] };
  const unlisted: string[] = [];
  const entries = Object.entries(renamedValues(tool, given)).flatMap(([name, value]) => {
    const former = Object.hasOwn(table, name) ? table[name] : undefined;
    if (!former || value === undefined || value === null) return [[name, value] as const];
    if ("idle" in former) return [];
    if ("fits" in former) {
      if (former.fits(value, given)) return [];
      return fail(former.code ?? "invalid_input", `${name}: ${former.else}.`, { remedy: "Nothing was changed." });
    }
    const now = "as" in former ? former.as : former.field;
    if ("as" in former && Object.hasOwn(given, now))
      return fail("invalid_input", `${name} is another name for ${now}: give only one of them.`, {
        remedy: `Leave out ${name}. Nothing was changed.`,
      });
    if ("field" in former) unlisted.push(now);
    return [["field" in former ? former.name : now, former.value ? former.value(value) : value] as const];
  });
  return { args: Object.fromEntries(entries), unlisted };
}
