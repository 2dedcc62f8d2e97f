// Takes away a folder of a test, however long the processes that the test killed still write into it.
import { removeFolder as remove } from "../../src/platform/system/index.ts";

export const removeFolder = (folder: string): void => remove(folder, 60_000);
