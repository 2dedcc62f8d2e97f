// The browsers and phones that stay paired with this page.
import { useEffect, useState } from "preact/hooks";
import type { PairedDevice } from "../../operations/index.ts";
import { callOperation, refusalOf, useOperation, type Refused } from "./api.ts";
import { ago, date } from "./format.ts";
import { Refusal, Waiting } from "./parts.tsx";

export function DevicesView() {
  const { data, refused, again } = useOperation<{ devices: readonly PairedDevice[] }>("web devices", undefined, {});
  const [wrong, setWrong] = useState<Refused | undefined>(undefined);
  useEffect(() => {
    document.title = "Paired devices · thehood";
  }, []);
  const revoke = async (id: string): Promise<void> => {
    setWrong(await refusalOf(() => callOperation("web devices", undefined, { revoke: id })));
    again();
  };
  return (
    <main id="main">
      <h1>Paired devices</h1>
      <p class="quiet">
        These browsers come in without a link while <code>thehood web</code> runs. Each holds a key that cannot be
        copied, and no cookie.
      </p>
      <Refusal refused={refused ?? wrong} />
      {!data && !refused && <Waiting />}
      {data?.devices.length === 0 && <p>No browser is paired.</p>}
      {data && data.devices.length > 0 && (
        <div class="section scroll" tabIndex={0}>
          <table>
            <thead>
              <tr>
                <th scope="col">Device</th>
                <th scope="col">May</th>
                <th scope="col">Last used</th>
                <th scope="col">Paired until</th>
                <th scope="col">
                  <span class="hidden">Action</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {data.devices.map(({ id, name, reach, lastSeen, until }) => (
                <tr key={id}>
                  <td>
                    {name} <code class="id">{id}</code>
                  </td>
                  <td>{reach === "gates" ? "see and decide" : "everything on this page"}</td>
                  <td>{ago(lastSeen)}</td>
                  <td>{date(until)}</td>
                  <td>
                    <button type="button" class="danger" onClick={() => void revoke(id)}>
                      Revoke
                    </button>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </main>
  );
}
