import { isBelow } from "@/lib/policy/worker-allowance";
import { WORKER_NODE } from "@/lib/skill-format/entry/script-entry";
import { secretSteps } from "../files/pass-secrets";
import { wordsOf } from "../run/entry-command";
import { BLOCK_DESCRIPTORS } from "./blocked-sandbox";
import type { Unshared } from "./isolation";
import {
  dropCommand,
  limitCommand,
  NAMESPACES,
  SANDBOX_HOME,
  SANDBOX_SKILL,
  SANDBOX_WORKSPACE,
  type SandboxRun,
} from "./sandbox-command";

type UnshareRun = Omit<SandboxRun, "isolation" | "uid"> & { isolation: Unshared; uid: number };
type Step = [word: string, first: string, second: string];

const DEVICES = ["null", "zero", "full", "random", "urandom"];

/**
 * The command line of a run in namespaces that root builds with the system's programs. It sees the same of the host as in
 * bubblewrap, but without a user namespace and a system call filter. Ends with the worker. Throws RunFailure for a grant
 * that it cannot give.
 */
export function unshareCommand(run: UnshareRun): string[] {
  const { isolation, skillDir, entry, terms, limits, uid, isBlocked, workspaceDir = null, secrets = [] } = run;
  const { paths = [], covers = [] } = run;
  const shared = new Set(terms.namespaces);
  const own = NAMESPACES.filter((name) => !shared.has(name));
  const size = `size=${limits.diskBytes}`;
  const steps: Step[] = [
    ...[...isolation.system.dirs, ...isolation.system.files].map((path): Step => ["ro", path, path]),
    ...isolation.system.links.map(({ target, path }): Step => ["link", target, path]),
    ...(own.includes("net") && isolation.ip ? [["loopback", "", ""] as Step] : []),
    ["dir", "/etc", "755"],
    ...(shared.has("net") ? NAME_FILES.map((path): Step => ["ro", path, path]) : []),
    ["dir", "/proc", "755"],
    ["mount", "proc,nodev,noexec", "/proc"],
    ["dir", "/dev", "755"],
    ["mount", "tmpfs,mode=755,size=64k,noexec", "/dev"],
    ...DEVICES.map((name): Step => ["dev", `/dev/${name}`, `/dev/${name}`]),
    ["link", "/proc/self/fd", "/dev/fd"],
    ["link", "fd/0", "/dev/stdin"],
    ["link", "fd/1", "/dev/stdout"],
    ["link", "fd/2", "/dev/stderr"],
    ["dir", "/dev/shm", "1777"],
    ["mount", `tmpfs,mode=1777,nodev,${size}`, "/dev/shm"],
    ["dir", SANDBOX_HOME, "1777"],
    ["mount", `tmpfs,mode=1777,nodev,${size}`, SANDBOX_HOME],
    ["ro", skillDir, SANDBOX_SKILL],
    ["ro", isolation.node ?? process.execPath, WORKER_NODE],
    ...(workspaceDir === null ? [] : [["rw", workspaceDir, SANDBOX_WORKSPACE] as Step]),
    // Outer paths first: a path inside another one exists already, and nothing is created in it.
    ...paths
      .toSorted((a, b) => a.path.length - b.path.length)
      .map(
        ({ path, real, mode }): Step => [paths.some((one) => isIn(path, one.path)) ? `${mode}-in` : mode, real, path],
      ),
    ...covers.map(({ path, isFolder }): Step => ["cover", isFolder ? "folder" : "file", path]),
    ...secretSteps(secrets, SANDBOX_HOME, uid),
    ["lock", "/dev", "noexec"],
    ...(isBlocked ? [["block", "", ""] as Step] : []),
  ];
  const { unshare, setpriv, setsid } = isolation.programs;
  return [
    ...[setpriv, "--pdeathsig", "KILL", "--", unshare, "--mount"],
    ...own.map((name) => `--${name}`),
    ...[
      "--fork",
      "--kill-child=KILL",
      "--",
      setsid,
      "/bin/sh",
      "-c",
      unshareScript(isolation),
      "sh",
      isolation.rootDir,
    ],
    ...steps.flat(),
    "--",
    ...dropCommand(setpriv, uid, terms.capabilities),
    ...limitCommand(limits),
    ...(wordsOf(run.script ?? null, `${SANDBOX_SKILL}/${entry}`) ?? [`${SANDBOX_SKILL}/${entry}`]),
  ];
}

const isIn = (path: string, folder: string) => path !== folder && isBelow(path, folder);

const NAME_FILES = ["/etc/resolv.conf", "/etc/hosts"];

/**
 * Builds a run's own file system and becomes its first process. Arguments: the mount point, then steps, each a keyword with
 * two values, then `--` and the command. It runs as root until the command drops to the run's id, so nothing in it depends
 * on the run: the decision names the bound paths, and nothing is created where a source already has it.
 */
function unshareScript({ programs, ip }: Unshared): string {
  const { mount, umount, pivot_root, mkdir, ln, cat } = programs;
  return `
set -e
place() {
  if [ -d "$1" ]; then
    [ -d ".$2" ] || ${mkdir} -p ".$2"
  elif [ -e "$1" ]; then
    [ -d ".\${2%/*}/" ] || ${mkdir} -p ".\${2%/*}"
    [ -e ".$2" ] || : > ".$2"
  else
    echo "There is no $1 on this worker." >&2
    exit 1
  fi
}
${mount} -t tmpfs -o mode=755,size=1m,nosuid,nodev tmpfs "$1"
cd "$1"
shift
while [ "$1" != -- ]; do
  case $1 in
    dir) [ -d ".$2" ] || ${mkdir} -p -m "$3" ".$2" ;;
    link) ${ln} -s "$2" ".$3" ;;
    ro|ro-in) [ "$1" = ro-in ] || place "$2" "$3"; ${mount} --bind "$2" ".$3"; ${mount} -o remount,bind,ro,nosuid,nodev ".$3" ;;
    rw|rw-in) [ "$1" = rw-in ] || place "$2" "$3"; ${mount} --rbind "$2" ".$3"; ${mount} -o remount,bind,nosuid,nodev ".$3" ;;
    cover)
      if [ "$2" = folder ]; then ${mount} -t tmpfs -o ro,mode=755,size=4k,nosuid,nodev,noexec none ".$3"
      else ${mount} --bind /dev/null ".$3"; ${mount} -o remount,bind,ro,nosuid,nodev,noexec ".$3"; fi ;;
    dev) : > ".$2"; ${mount} --bind "$3" ".$2" ;;
    mount) ${mount} -t "\${2%%,*}" -o "nosuid,\${2#*,}" none ".$3" ;;
    lock) ${mount} -o "remount,bind,ro,nosuid,$3" ".$2" ;;
    secret) ${cat} <&"$2" > ".$3"; eval "exec $2<&-" ;;
    loopback) ${ip ?? ":"} link set lo up ;;
    block) echo '{"child-pid": 1}' >&${BLOCK_DESCRIPTORS.info}; exec ${BLOCK_DESCRIPTORS.info}>&-; read -r go <&${BLOCK_DESCRIPTORS.block} || [ -n "$go" ]; exec ${BLOCK_DESCRIPTORS.block}<&- ;;
  esac
  shift 3
done
shift
${pivot_root} . .
${umount} -l .
cd /
${mount} -o remount,ro,nosuid,nodev /
cd /skill
trap : TERM INT HUP
unset PWD OLDPWD
exec 3>&2 2>/dev/null
set +e
"$@" 2>&3 3>&-
exit $?
`;
}
