// Formats numbers and times.
import { signal } from "@preact/signals";
import type { HomeRow } from "../../operations/run-data/index.ts";

/** The current time, updated each second while the page is visible. */
export const now = signal(Date.now());
setInterval(() => {
  if (!document.hidden) now.value = Date.now();
}, 1_000);

export function span(ms: number): string {
  if (ms < 1_000) return `${Math.max(0, Math.round(ms))} ms`;
  const seconds = Math.floor(ms / 1_000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return seconds % 60 === 0 || minutes > 9 ? `${minutes} min` : `${minutes} min ${seconds % 60} s`;
  const hours = Math.floor(minutes / 60);
  if (hours < 48) return minutes % 60 === 0 ? `${hours} h` : `${hours} h ${minutes % 60} min`;
  return `${Math.floor(hours / 24)} days`;
}

export const ago = (at: number): string => (now.value - at < 5_000 ? "now" : `${span(now.value - at)} ago`);
export const count = (value: number): string => value.toLocaleString("en-US");
export const short = (hash: string): string => hash.replace(/^sha256:/, "").slice(0, 12);
type Ending = Pick<HomeRow, "state" | "stopReason"> & { readonly undone?: true };

/** An end with doubts, and one whose work was taken out again, is a state of its own for the reader. */
export const endState = ({ state, stopReason, undone }: Ending): string =>
  undone ? "undone" : stopReason === "completed_with_doubts" ? stopReason : state;
export const words = (name: string): string => name.replaceAll("_", " ");
export const folderName = (path: string): string => path.split("/").findLast(Boolean) ?? path;
/** Date and time with the zone, because a page may be read elsewhere. */
export const date = (at: number): string =>
  new Date(at).toLocaleString("en-GB", {
    day: "numeric",
    month: "short",
    year: "numeric",
    hour: "2-digit",
    minute: "2-digit",
    timeZoneName: "short",
  });
export const clock = (at: number): string => new Date(at).toTimeString().slice(0, 8);
export const one = (value: number, noun: string): string => `${count(value)} ${noun}${value === 1 ? "" : "s"}`;
