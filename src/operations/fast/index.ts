// The operations that a shell prompt or a watching program asks for all the time. They start without the others.
import { runs } from "../read/runs.ts";
import { status } from "../read/status.ts";
import { top } from "../read/top.ts";

export const quickOperations = [top, status, runs] as const;
