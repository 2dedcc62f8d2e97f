// Paths that no sandboxed program may read: homes, credentials, sockets, files of other users. Data, with the tool folders
// of a home that are given back because compilers and package caches live there.
import { join } from "node:path";
import { agentProgramRows } from "../../core/contract/index.ts";

const words = (text: string): string[] => text.trim().split(/\s+/);

/** Whole folders that are replaced by empty ones; paths below them that the request needs are bound back. */
export const hiddenFolders: readonly string[] = words(`
    /home /root /run /var/run /mnt /media /boot /lost+found /etc/ssh /etc/ssl/private /etc/pki/private
    /etc/pki/tls/private /etc/letsencrypt /etc/docker /etc/kubernetes /etc/rancher /etc/wireguard
    /etc/openvpn /etc/ipsec.d /etc/NetworkManager/system-connections /etc/sudoers.d /etc/cron.d
    /var/lib/docker /var/lib/containerd /var/lib/containers /var/lib/kubelet /var/lib/rancher /var/lib/lxd
    /var/lib/libvirt /var/lib/mysql /var/lib/postgresql /var/lib/redis /var/lib/jenkins
    /var/lib/gitlab-runner /var/lib/NetworkManager /var/lib/bluetooth /var/lib/sss /var/lib/krb5kdc
    /var/spool /var/mail /var/backups /var/log
  `);

export const hiddenFiles: readonly string[] = words(`
    /etc/shadow /etc/shadow- /etc/gshadow /etc/gshadow- /etc/sudoers /etc/krb5.keytab /etc/master.passwd
    /etc/netrc /etc/npmrc /etc/pip.conf /etc/git-credentials /etc/environment /proc/keys
  `);

/** Below a home, also when the home itself had to be given to the program. */
export const hiddenInHome: readonly string[] = [
  ...words(`
    .ssh .aws .azure .gnupg .docker .kube .netrc _netrc .npmrc .yarnrc .yarnrc.yml .bunfig.toml .pypirc
    .pgpass .my.cnf .mylogin.cnf .git-credentials .gitconfig .gem/credentials .cargo/credentials
    .cargo/credentials.toml .m2/settings.xml .m2/settings-security.xml .gradle/gradle.properties
    .terraform.d .vault-token .password-store
  `),
  ...agentProgramRows.flatMap(({ home }) => home),
  ...words(`
    .cursor .copilot .config .mozilla .thunderbird .var .local/share/keyrings .local/share/kwalletd
    .local/share/thehood .local/state .thehood .oracle .bash_history .zsh_history .python_history
    .node_repl_history .psql_history .mysql_history .lesshst .viminfo .wget-hsts .Xauthority .ICEauthority
    Library/Keychains snap
  `),
  "Library/Application Support",
];

/** Tool chains and package caches that programs need and that hold no credentials. */
export const toolsInHome: readonly string[] = words(`
    .nvm .volta .fnm .asdf .pyenv .rbenv .rustup .cargo/bin .cargo/env .cargo/registry .cargo/git .sdkman
    .bun/bin .bun/install/cache .deno/bin .local/bin .local/lib .local/share/mise .local/share/fnm
    .local/share/pnpm .local/share/uv .local/share/pipx .m2/repository .m2/wrapper .gradle/caches
    .gradle/wrapper .cache/ms-playwright .cache/puppeteer .cache/go-build .cache/uv .cache/pip .npm/_cacache
    go
  `);

export const under = (folder: string, names: readonly string[]) => names.map((name) => join(folder, name));
