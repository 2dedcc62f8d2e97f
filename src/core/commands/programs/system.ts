// Programs that change the machine itself: processes, disks, services, users, schedules, the kernel.
import type { ProgramJudge, ProgramJudges } from "../call.ts";
import { always, each, groups, subcommands } from "./build.ts";

/** Code that will run later, by itself. */
const later =
  (what: string): ProgramJudge =>
  (call) =>
    call.report("local_write", `${call.name} ${what}`, undefined, true);

const kill: ProgramJudge = (call) => {
  if (call.args.length === 1 && /^-(l|L|-list|-table)$/.test(call.args[0]?.text ?? "")) return;
  const targets = call.args.filter(({ text }) => !text.startsWith("-"));
  // `kill %1` and `kill $!` end what this very line started.
  if (call.name === "kill" && targets.length > 0 && targets.every(({ text }) => text.startsWith("%")))
    return call.report("local_write", "kill ends a job of this shell");
  call.report("destructive", `${call.name} ends processes`);
};

export const system: ProgramJudges = {
  ...each("kill pkill killall killall5 skill snice xkill fuser slay taskkill", kill),
  ...each("renice", always("local_write", "changes how much a process may run", true)),
  ...each(
    "shutdown reboot halt poweroff init telinit mount umount swapon swapoff fdisk sfdisk cfdisk gdisk sgdisk parted partprobe mkfs mke2fs mkswap tune2fs resize2fs e2fsck fsck debugfs xfs_repair btrfs zfs zpool lvcreate lvremove lvresize vgremove vgcreate pvremove pvcreate mdadm losetup dmsetup hdparm smartctl nvme badblocks diskutil hdiutil diskpart format iptables ip6tables nft ufw firewall-cmd ipset tc ebtables arptables sysctl modprobe insmod rmmod depmod kexec grub-install update-grub efibootmgr dracut mkinitramfs update-initramfs setenforce semanage setsebool restorecon apparmor_parser auditctl usermod useradd userdel groupadd groupdel groupmod adduser deluser gpasswd chsh chfn vipw vigr visudo pwconv newusers hostnamectl timedatectl hwclock ntpd setxkbmap loadkeys chvt pivot_root switch_root quotaon quotaoff edquota logrotate tmpreaper tmpwatch nvram csrutil spctl tccutil dscl pmset scutil networksetup bless softwareupdate killswitch stress stress-ng forkbomb reg regedit sc net netsh icacls takeown attrib bcdedit vssadmin wmic schtasks rundll32 mshta certutil bitsadmin msiexec",
    always("destructive", "changes the machine itself"),
  ),
  ...each(
    "mkfs.ext2 mkfs.ext3 mkfs.ext4 mkfs.xfs mkfs.btrfs mkfs.vfat mkfs.fat mkfs.ntfs mkfs.f2fs mkfs.exfat fsck.ext4 newfs newfs_apfs",
    always("destructive", "formats or repairs a disk"),
  ),
  ...each("crontab", (call) => {
    const said = call.args.map(({ text }) => text);
    if (said.includes("-l")) return call.report("read_only", "crontab -l only lists");
    if (said.includes("-r")) return call.report("destructive", "crontab -r deletes the schedule");
    later("installs scheduled code")(call);
  }),
  ...each(
    "at batch atrm launchctl loginctl update-rc.d chkconfig rc-update rc-service sv s6-rc supervisorctl pm2 forever systemd-tmpfiles defaults plutil PlistBuddy gsettings dconf xdg-mime xdg-settings update-desktop-database osacompile automator ldconfig ccache-config",
    later("makes something run later or by itself"),
  ),
  systemctl: subcommands({
    table: groups(
      [
        "read_only",
        "status show cat list-units list-unit-files list-timers list-sockets list-jobs list-dependencies is-active is-enabled is-failed get-default help",
      ],
      [
        later("changes what starts by itself"),
        "enable disable mask unmask preset link edit set-property daemon-reload daemon-reexec import-environment set-environment",
      ],
      ["credential_sensitive", "show-environment"],
      [
        "destructive",
        "start stop restart reload kill try-restart reload-or-restart isolate reboot poweroff halt suspend hibernate rescue emergency reset-failed revert switch-root",
      ],
    ),
    none: "read_only",
  }),
  service: (call) =>
    call.args.at(-1)?.text === "status" || call.args[0]?.text === "--status-all"
      ? call.report("read_only", "service status only reads")
      : call.report("destructive", "service starts or ends services"),
  journalctl: (call) =>
    call.args.some(({ text }) => /^--(vacuum|rotate|flush|relinquish|setup-keys)/.test(text))
      ? call.report("destructive", "journalctl deletes or moves the journal")
      : call.report("read_only", "journalctl only reads"),
  ...each("tmux screen zellij dtach abduco", (call) =>
    /^(ls|list-sessions|list-windows|lsw|list-panes|-V|-ls|-list|list-commands|info)$/.test(
      call.args[0]?.text ?? "",
    )
      ? call.report("read_only", `${call.name} only lists`)
      : call.report("unknown", `${call.name} runs programs that outlive the command`),
  ),
  ...each(
    "xdotool ydotool wtype cliclick notify-send wall write mesg say espeak beep",
    always("unknown", "acts on the user's desktop"),
  ),
};
