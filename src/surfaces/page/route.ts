// The route of the page, read from its address: the same link opens the same view, and the back button works.
import { signal } from "@preact/signals";
import { record } from "./record.ts";

export interface PageAddress {
  readonly view: string;
  readonly of: Readonly<Record<string, string>>;
}

function read(): PageAddress {
  const [view = "", query = ""] = location.hash.replace(/^#\/?/, "").split("?");
  if (record && view !== "diff") return { view: "run", of: Object.fromEntries(new URLSearchParams(query)) };
  return {
    view: view === "" || view.startsWith("t=") ? "home" : view,
    of: Object.fromEntries(new URLSearchParams(query)),
  };
}

export const route = signal<PageAddress>(read());

addEventListener("hashchange", () => {
  const before = route.value;
  route.value = read();
  if (route.value.view !== before.view || route.value.of["id"] !== before.of["id"]) scrollTo(0, 0);
});

export const link = (view: string, of: Readonly<Record<string, string | number | undefined>> = {}): string => {
  const given = Object.entries(of).filter(([, value]) => value !== undefined && value !== "");
  const query = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  return `#/${view === "home" ? "" : view}${query === "" ? "" : `?${query}`}`;
};

export function go(to: string, { replace = false } = {}): void {
  if (replace) {
    history.replaceState(null, "", to);
    route.value = read();
  } else location.hash = to;
}
