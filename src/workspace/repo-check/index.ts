// Placeholder until the look at a repository stands: finds nothing.
export async function inspectRepository(folder: string) {
  return {
    folder,
    findings: [] as {
      kind: string;
      path: string;
      severity: string;
      what: string;
      why: string;
      remedy: string;
    }[],
    notes: [] as string[],
  };
}
