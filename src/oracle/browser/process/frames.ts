// Frames of other sites in the pages of the leased tabs. The browser tells of them once a tab asks for it.
import type { CdpEvent } from "../cdp/client.ts";

interface Frame {
  /** The session of the tab that holds it. */
  readonly parent: string;
  readonly url: string;
}

export class FrameSessions {
  readonly #frames = new Map<string, Frame>();

  take({ method, params, sessionId }: CdpEvent): void {
    const session = String(params["sessionId"]);
    if (method === "Target.attachedToTarget" && sessionId !== undefined) {
      const { type, url } = params["targetInfo"] as { type: string; url: string };
      if (type === "iframe") this.#frames.set(session, { parent: sessionId, url });
    }
    if (method === "Target.detachedFromTarget") this.#frames.delete(session);
  }

  of(parent: string): { session: string; url: string }[] {
    return [...this.#frames].flatMap(([session, frame]) =>
      frame.parent === parent ? [{ session, url: frame.url }] : [],
    );
  }

  isOf(parent: string, session: string): boolean {
    return this.#frames.get(session)?.parent === parent;
  }
}
