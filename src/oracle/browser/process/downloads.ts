// Files that pages download: kept under names of the browser in a private folder until the run of that tab takes them.
import { mkdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import type { CdpEvent } from "../cdp/client.ts";
import type { Downloads } from "./protocol.ts";

/** A larger file stays on the site. */
const mostBytes = 64 * 1024 * 1024;

interface Coming {
  /** The frame that downloads it: for a page of its own the id of the target. */
  readonly frame: string;
  readonly name: string;
  state: "inProgress" | "completed" | "canceled";
}

export class DownloadFolder {
  readonly #folder: string;
  readonly #coming = new Map<string, Coming>();

  constructor(folder: string) {
    this.#folder = folder;
    this.clear();
  }

  /** The parameters of Browser.setDownloadBehavior. */
  get behavior() {
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    return { behavior: "allowAndName", downloadPath: this.#folder, eventsEnabled: true };
  }

  clear(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }

  take({ method, params }: CdpEvent): void {
    const id = String(params["guid"]);
    if (method === "Browser.downloadWillBegin")
      this.#coming.set(id, {
        frame: String(params["frameId"]),
        name: String(params["suggestedFilename"]),
        state: "inProgress",
      });
    const known = this.#coming.get(id);
    if (method === "Browser.downloadProgress" && known) known.state = params["state"] as Coming["state"];
  }

  /** Hands over what has come for this tab; a file is handed over once. */
  of(targetId: string): Downloads {
    const own = [...this.#coming].filter(([, { frame }]) => frame === targetId);
    const files: { name: string; base64: string }[] = [];
    const lost: string[] = [];
    for (const [id, { name, state }] of own) {
      if (state === "inProgress") continue;
      this.#coming.delete(id);
      // The id is the browser's own, and the file is where the browser was told to put it.
      const path = join(this.#folder, id);
      const taken = state === "completed" && statSync(path).size <= mostBytes;
      if (taken) files.push({ name, base64: readFileSync(path).toString("base64") });
      else lost.push(name);
      rmSync(path, { force: true });
    }
    return { files, lost, pending: own.filter(([, { state }]) => state === "inProgress").length };
  }
}
