// What a requested model means on a page: a whole label, or a model and an effort that are chosen apart. Pure.
import type { ReasoningEffort } from "../../../core/contract/transport/index.ts";
import type { LoadedSite } from "../sites/load.ts";
import { fitsOne, sameLabel } from "./labels.ts";

export interface Wanted {
  readonly name: string;
  /** Test ids of the option. */
  readonly ids: readonly string[];
  /** Labels that name the whole choice. */
  readonly any: readonly string[];
  /** Labels of the model alone; empty where any model will do. */
  readonly model: readonly string[];
  /** Labels of the effort; empty where it stays as it is. */
  readonly effort: readonly string[];
  /** The version that the request names. */
  readonly version: string | null;
}

const normal = (name: string): string =>
  name
    .trim()
    .toLowerCase()
    .replaceAll(/[\s_]+/g, "-");

/** "GPT-5.6 Sol" and the page's "5.6 Pro" name a version; "Latest" and "Pro" do not. */
export const versionOf = (label: string): string | null =>
  /(?:^|[^\p{L}\d.])(?:gpt[- ]?)?(\d{1,2}(?:\.\d+)?)(?![\d%])/iu.exec(label)?.[1] ?? null;

interface Part {
  readonly ids?: readonly string[] | undefined;
  readonly any?: readonly string[] | undefined;
  readonly model?: readonly string[] | undefined;
  readonly effort?: readonly string[];
}

const labelsOf = (site: LoadedSite, effort: ReasoningEffort | undefined): readonly string[] =>
  effort === undefined ? [] : (site.efforts[effort] ?? []);

/** "Extra High" alone is an effort; "GPT-5.6 Sol High" is a model and an effort. */
function ofLabels(site: LoadedSite, name: string): Part {
  const efforts = Object.values(site.efforts);
  const alone = efforts.find((labels) => labels.some((label) => sameLabel(label, name)));
  if (alone) return { any: [name], effort: [name, ...alone] };
  const ending = efforts
    .flatMap((labels) => labels.map((label) => ({ label, labels })))
    .filter(({ label }) => normal(name).endsWith(`-${normal(label)}`) && name.length > label.length + 1)
    .sort((left, right) => right.label.length - left.label.length)[0];
  if (!ending) return { any: [name] };
  const model = name.slice(0, name.length - ending.label.length).replace(/[\s,+/-]+$/, "");
  return { any: [name], model: [model], effort: ending.labels };
}

function partOf(site: LoadedSite, name: string): Part {
  const known = Object.entries(site.models).find(([key]) => normal(key) === normal(name))?.[1];
  if (known === undefined) return ofLabels(site, name);
  if (Array.isArray(known)) return { any: known };
  const { effort, ...rest } = known;
  return { ...rest, effort: labelsOf(site, effort) };
}

/** Null for the model that the page has selected. */
export function wantedOf(site: LoadedSite, name: string, effort: ReasoningEffort | null): Wanted | null {
  if (name === "current" && effort === null) return null;
  const part: Part = name === "current" ? {} : partOf(site, name);
  const own = part.effort ?? [];
  const asked = effort === null ? own : labelsOf(site, effort);
  const shown = effort === null ? name : name === "current" ? `effort ${effort}` : `${name}, effort ${effort}`;
  return {
    name: shown,
    ids: part.ids ?? [],
    any: effort === null ? (part.any ?? []) : [],
    // With an effort of its own the whole label names the model alone.
    model: effort !== null && own.length === 0 ? [...(part.any ?? []), ...(part.model ?? [])] : (part.model ?? []),
    effort: asked,
    version: name === "current" ? null : versionOf(name),
  };
}

/** Two efforts at once: "gpt-5.5-pro" with another effort beside it. */
export function effortsDisagree(site: LoadedSite, name: string, effort: ReasoningEffort | null): boolean {
  const own = name === "current" ? [] : (partOf(site, name).effort ?? []);
  return effort !== null && own.length > 0 && !own.some((label) => fitsOne(label, labelsOf(site, effort)));
}

/** Whether the closed button alone proves the choice. */
export function shows(wanted: Wanted, shown: string): boolean {
  if (fitsOne(shown, wanted.any)) return true;
  if (wanted.model.length > 0 && wanted.effort.length > 0) return false;
  return fitsOne(shown, wanted.model.length > 0 ? wanted.model : wanted.effort);
}

const qualifiers = ["mini", "nano", "lite"];
const isSlug = (shown: string): boolean => /^[a-z]+[-\d][a-z\d.-]*$/.test(shown);

/** Whether the model that a turn names is another one than the requested. */
export function namesOther(wanted: Wanted, shown: string): boolean {
  const labels = [...wanted.any, ...wanted.model];
  const known = [...labels, ...wanted.effort];
  if (fitsOne(shown, known) || known.some((label) => sameLabel(shown, label.replace(/^\d+(\.\d+)* /, ""))))
    return false;
  const words = shown.toLowerCase().split(/[^\p{L}\d]+/u);
  if (qualifiers.some((one) => words.includes(one) && !known.some((label) => label.toLowerCase().includes(one))))
    return true;
  if (!isSlug(shown)) return labels.length > 0;
  const slug = /^[a-z]+-(\d{1,2})(?:-(\d{1,2}))?(?![\d])/.exec(shown);
  const version = slug && (slug[2] === undefined ? slug[1] : `${slug[1]}.${slug[2]}`);
  return wanted.version !== null && version !== null && version !== undefined && version !== wanted.version;
}

/** "5.6 Pro" on the button after GPT-5.5 was chosen. */
export function versionDiffers(wanted: Wanted, shown: string): boolean {
  const version = versionOf(shown);
  return wanted.version !== null && version !== null && version !== wanted.version;
}
