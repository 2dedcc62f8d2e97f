// The platform's classes that the pure rooms may use. Only tsconfig.pure.json reads this file.

interface AbortSignal {
  readonly aborted: boolean;
  addEventListener(type: "abort", listener: () => void, options?: { once?: boolean }): void;
  removeEventListener(type: "abort", listener: () => void): void;
}

declare const AbortSignal: {
  /** Aborts as soon as one of them does. */
  any(signals: readonly AbortSignal[]): AbortSignal;
};

declare class AbortController {
  readonly signal: AbortSignal;
  abort(): void;
}
