// The unit for systemd that serves the queue of a user.
const quoted = (word: string): string =>
  `"${word.replace(/[\\"]/g, "\\$&").replaceAll("%", "%%").replaceAll("$", "$$$$")}"`;

const variable = (name: string, value: string | undefined): string =>
  value === undefined ? "" : `Environment=${quoted(`${name}=${value}`)}\n`;

/** Its end ends no run: each run is a process of its own (KillMode). */
export const unitText = (program: readonly string[], parallel: number, env: NodeJS.ProcessEnv): string => `[Unit]
Description=TheHood: the queue of runs

[Service]
ExecStart=${program.map(quoted).join(" ")} queue run --stay --parallel ${parallel}
${variable("THEHOOD_HOME", env["THEHOOD_HOME"])}${variable("PATH", env["PATH"])}Restart=on-failure
RestartSec=5
KillMode=process

[Install]
WantedBy=default.target
`;
