import type { Unshared } from "./isolation";
import { GATE } from "./open-hosts";

/**
 * Builds a run's own file system and becomes its first process. Arguments: the mount point, then steps, each a word with
 * two or three values, then `--` and the command. It is root until the command drops to the run's id, so it does nothing
 * that the run could steer: what is bound stands in the decision, and nothing is created where a source has it already.
 */
export function unshareScript({ programs, ip }: Unshared): string {
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
    gate) echo '{"child-pid": 1}' >&${GATE.info}; exec ${GATE.info}>&-; read -r go <&${GATE.block} || [ -n "$go" ]; exec ${GATE.block}<&- ;;
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
