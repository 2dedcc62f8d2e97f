// The operations that a shell prompt or a watching program asks for all the time. They start without the others.
import { runs } from "../look/runs.ts";
import { status } from "../look/status.ts";
import { top } from "../look/top.ts";

export const quickOperations = [top, status, runs] as const;
