// The parts of a gate that were on screen: a yes is possible once each of them was there.
import { signal, type Signal } from "@preact/signals";

export interface Seen {
  /** Parts that were not on screen yet. */
  readonly left: Signal<number>;
  watch(part: HTMLElement): void;
  /** Brings the next part that was not seen to the screen. */
  next(): void;
  stop(): void;
}

export function watchSeen(): Seen {
  const left = signal(0);
  const unseen = new Set<Element>();
  const observer = new IntersectionObserver((entries) => {
    for (const { isIntersecting, target } of entries) {
      // A hidden tab shows nothing, whatever it lays out.
      if (!isIntersecting || document.hidden) continue;
      observer.unobserve(target);
      unseen.delete(target);
    }
    left.value = unseen.size;
  });
  return {
    left,
    watch(part) {
      // The end of a part: a part may be higher than the screen.
      const end = part.appendChild(document.createElement("i"));
      end.className = "end";
      unseen.add(end);
      left.value = unseen.size;
      observer.observe(end);
    },
    next() {
      const inOrder = [...unseen].sort((one, other) =>
        one.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1,
      );
      inOrder[0]?.scrollIntoView({ block: "center" });
    },
    stop() {
      observer.disconnect();
    },
  };
}
