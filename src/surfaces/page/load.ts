// Data of the page that comes from the server: loaded, loaded again, or refused. An older answer never replaces a newer.
import { useEffect, useRef, useState } from "preact/hooks";
import { callOperation, CallError, type Refused } from "./api.ts";

export interface Loaded<T> {
  readonly data: T | undefined;
  readonly refused: Refused | undefined;
  again(): void;
}

const asRefused = (error: unknown): Refused => {
  if (error instanceof CallError) return error.refused;
  throw error;
};

/** Asks once for each different question, and again when told. */
export function useOperation<T>(operation: string, repo: string | undefined, input: object): Loaded<T> {
  const question = JSON.stringify([operation, repo, input]);
  const [held, hold] = useState<{ question: string; data?: T; refused?: Refused }>({ question: "" });
  const number = useRef(0);
  const load = (): void => {
    const mine = (number.current += 1);
    callOperation<T>(operation, repo, input).then(
      (data) => mine === number.current && hold({ question, data }),
      (error: unknown) => mine === number.current && hold({ question, refused: asRefused(error) }),
    );
  };
  useEffect(load, [question]);
  const mine = held.question === question;
  return { data: mine ? held.data : undefined, refused: mine ? held.refused : undefined, again: load };
}
