// A filter for the system calls that no build or test needs and that reach past the walls: kernel keys of the login
// session, and the kernel's own extension points. Written by hand in the kernel's filter language.

const load = (offset: number) => instruction(0x20, 0, 0, offset);
const jumpIfEqual = (value: number, yes: number, no: number) => instruction(0x15, yes, no, value);
const jumpIfAtLeast = (value: number, yes: number, no: number) => instruction(0x35, yes, no, value);
const answer = (value: number) => instruction(0x06, 0, 0, value);

const allow = 0x7fff0000;
/** "Operation not permitted". */
const refuse = 0x00050001;
const numberAt = 0;
const machineAt = 4;

function instruction(code: number, yes: number, no: number, value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeUInt16LE(code, 0);
  bytes.writeUInt8(yes, 2);
  bytes.writeUInt8(no, 3);
  bytes.writeUInt32LE(value, 4);
  return bytes;
}

/** add_key, request_key, keyctl, bpf, perf_event_open, userfaultfd. */
const machines: Readonly<Record<string, { readonly audit: number; readonly calls: readonly number[] }>> = {
  x64: { audit: 0xc000003e, calls: [248, 249, 250, 321, 298, 323] },
  arm64: { audit: 0xc00000b7, calls: [217, 218, 219, 280, 241, 282] },
};
/** Calls of the x32 kind carry this bit and would slip by. */
const otherKind = 0x40000000;

/** Undefined for a machine whose numbers are not known here. */
export function systemCallFilter(arch: string): Buffer | undefined {
  const machine = machines[arch];
  if (!machine) return undefined;
  const { audit, calls } = machine;
  const refuseFrom = (index: number) => calls.length - index;
  return Buffer.concat([
    load(machineAt),
    jumpIfEqual(audit, 0, calls.length + 3),
    load(numberAt),
    jumpIfAtLeast(otherKind, calls.length + 1, 0),
    ...calls.map((call, index) => jumpIfEqual(call, refuseFrom(index), 0)),
    answer(allow),
    answer(refuse),
  ]);
}
