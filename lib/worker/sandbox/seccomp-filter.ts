/**
 * A seccomp filter as classic BPF (linux/seccomp.h, linux/filter.h), assembled here because no library for it is small. It
 * allows by default and refuses what skills never need and kernel exploits often use: new namespaces, mounts, tracing,
 * kernel modules, keys, BPF, io_uring, and sockets other than IPv4, IPv6 and netlink.
 */

type Architecture = {
  audit: number;
  socket: number;
  setsockopt: number;
  clone: number;
  prctl: number;
  seccomp: number;
  fcntl: number;
  /** sched_setaffinity, sched_setscheduler, sched_setattr, sched_setparam, setpriority */
  scheduling: number[];
  refused: number[];
};

const ARCHITECTURES: Record<string, Architecture> = {
  x64: {
    audit: 0xc000003e,
    socket: 41,
    setsockopt: 54,
    clone: 56,
    prctl: 157,
    seccomp: 317,
    fcntl: 72,
    scheduling: [203, 144, 314, 142, 141],
    refused: [
      // ptrace, syslog, uselib, vhangup, pivot_root, adjtimex, chroot, acct, settimeofday, mount, umount2, swapon, swapoff
      101,
      103, 134, 153, 155, 159, 161, 163, 164, 165, 166, 167, 168,
      // reboot, sethostname, setdomainname, iopl, ioperm, init_module, delete_module, quotactl, lookup_dcookie
      169, 170, 171, 172, 173, 175, 176, 179, 212,
      // clock_settime, kexec_load, add_key, request_key, keyctl, unshare, perf_event_open, fanotify_init
      227, 246, 248, 249, 250, 272, 298, 300,
      // open_by_handle_at, clock_adjtime, setns, process_vm_readv, process_vm_writev, kcmp, finit_module, kexec_file_load
      304,
      305, 308, 310, 311, 312, 313, 320,
      // bpf, userfaultfd
      321, 323,
    ],
  },
  arm64: {
    audit: 0xc00000b7,
    socket: 198,
    setsockopt: 208,
    clone: 220,
    prctl: 167,
    seccomp: 277,
    fcntl: 25,
    scheduling: [122, 119, 274, 118, 140],
    refused: [
      // umount2, mount, pivot_root, chroot, vhangup, quotactl, acct, unshare, kexec_load, init_module, delete_module
      39, 40, 41, 51, 58, 60, 89, 97, 104, 105, 106,
      // clock_settime, syslog, ptrace, reboot, sethostname, setdomainname, settimeofday, adjtimex
      112, 116, 117, 142, 161, 162, 170, 171,
      // add_key, request_key, keyctl, swapon, swapoff, perf_event_open, fanotify_init, open_by_handle_at, clock_adjtime
      217, 218, 219, 224, 225, 241, 262, 265, 266,
      // setns, process_vm_readv, process_vm_writev, kcmp, finit_module, bpf, userfaultfd, kexec_file_load
      268, 270, 271, 272, 273, 280, 282, 294,
    ],
  },
};

/** Equal on every architecture: open_tree to fspick, mount_setattr, quotactl_fd, pidfd_getfd. */
const REFUSED_EVERYWHERE = [428, 429, 430, 431, 432, 433, 438, 442, 443];

/** io_uring_setup, _enter, _register and clone3 report ENOSYS: their callers then use the older calls. */
const ABSENT = [425, 426, 427, 435];

/** The newest call that strace 6.1 knows; a later one, such as fchmodat2, would happen without its name in the trace. */
const NEWEST_TRACED = 450;

const ERRNO = { EPERM: 1, ENOSYS: 38, ENOPROTOOPT: 92, EPROTONOSUPPORT: 93, EAFNOSUPPORT: 97 };
const PROTOCOL_UDPLITE = 136;
const LEVEL_IP = 0;
/** Chooses a socket's own port without `bind`, Linux 6.3. */
const IP_LOCAL_PORT_RANGE = 51;
const FAMILY = { UNIX: 1, INET: 2, INET6: 10, NETLINK: 16 };

/** CLONE_NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID and NEWNET. */
const NEW_NAMESPACE = 0x7e020000;
const CLONE_UNTRACED = 0x00800000;
const PR_SET_SECCOMP = 22;
const PR_SET_DUMPABLE = 4;
const F_SETFL = 4;
const O_NOATIME = 0o1000000;
/** Memory that the tracer cannot read, so that it could not read the arguments of a call. The same on every architecture. */
const MEMFD_SECRET = 447;
/** Numbers from here on are the x32 calls, a second numbering for the same kernel. */
const X32_BIT = 0x40000000;

const CODE = { load: 0x20, ifEqual: 0x15, ifAtLeast: 0x35, ifAnyBit: 0x45, return: 0x06 };
const ALLOW = 0x7fff0000;
/** Stops for the tracer. Without one the call fails with ENOSYS. */
const TRACE = 0x7ff00000;
const KILL = 0x80000000;
const OFFSET = { number: 0, architecture: 4, firstArgument: 16 };
const ARGUMENT_BYTES = 8;
const AT_FDCWD = -100;
const AT_EMPTY_PATH = 0x1000;

type Instruction = [code: number, value: number, ifTrue?: number, ifFalse?: number];

const refuse = (errno: number) => 0x00050000 | errno;
/** Refuses with SIGSYS, which a tracer sees. */
const TRAP = 0x00030000;
const load = (offset: number): Instruction => [CODE.load, offset];
const answerWith = (value: number): Instruction => [CODE.return, value];
const answer = (number: number, value: number): Instruction[] => [[CODE.ifEqual, number, 0, 1], answerWith(value)];
const whenCalled = (number: number, then: Instruction[]): Instruction[] => [
  [CODE.ifEqual, number, 0, then.length],
  ...then,
];

/** A call that stops for the tracer. With AT_EMPTY_PATH in the argument `emptyPath` it is for a descriptor, as fstat, and does not. */
export type TracedCall = { number: number; emptyPath?: number | undefined };

/**
 * The filter for `bwrap --seccomp`; null for an unknown architecture. `unixSockets` is for runs with a granted host path, and for dry runs.
 * With `traced`, for an analysis, these calls stop for the tracer, and those that no skill needs end the process with SIGSYS
 * instead of an error: the tracer sees that.
 */
export function seccompFilter(
  architecture: string,
  { unixSockets, traced = null }: { unixSockets: boolean; traced?: readonly TracedCall[] | null },
): Buffer | null {
  const known = ARCHITECTURES[architecture];
  if (!known) return null;
  const families = [FAMILY.INET, FAMILY.INET6, FAMILY.NETLINK, ...(unixSockets ? [FAMILY.UNIX] : [])];
  const forbidden = traced ? TRAP : refuse(ERRNO.EPERM);
  const isTraced = (number: number) => traced?.some((call) => call.number === number) === true;
  const permit = (number: number) => (isTraced(number) ? TRACE : ALLOW);
  const program: Instruction[] = [
    load(OFFSET.architecture),
    [CODE.ifEqual, known.audit, 1, 0],
    answerWith(KILL),
    load(OFFSET.number),
    [CODE.ifAtLeast, X32_BIT, 0, 1],
    answerWith(refuse(ERRNO.ENOSYS)),
    ...[...known.refused, ...REFUSED_EVERYWHERE].flatMap((number) => answer(number, forbidden)),
    ...ABSENT.flatMap((number) => answer(number, isTraced(number) ? TRACE : refuse(ERRNO.ENOSYS))),
    ...whenCalled(known.clone, [
      load(OFFSET.firstArgument),
      [CODE.ifAnyBit, traced ? NEW_NAMESPACE | CLONE_UNTRACED : NEW_NAMESPACE, 0, 1],
      answerWith(forbidden),
      answerWith(permit(known.clone)),
    ]),
    ...(traced ? withoutEvasions(known) : []),
    ...whenCalled(known.socket, [
      // Datagrams of UDP-Lite reach no socket of a recorder.
      ...(traced ? [load(argument(2)), ...answer(PROTOCOL_UDPLITE, refuse(ERRNO.EPROTONOSUPPORT))] : []),
      load(OFFSET.firstArgument),
      ...families.flatMap((family) => answer(family, permit(known.socket))),
      answerWith(refuse(ERRNO.EAFNOSUPPORT)),
    ]),
    ...(traced ?? []).flatMap(stopAt),
    answerWith(ALLOW),
  ];
  return Buffer.concat(program.map(encode));
}

/**
 * A filter of the program's own could answer calls before the tracer sees them (`SECCOMP_RET_USER_NOTIF`). A thread on another
 * processor, or with the priority to wait, could change a path after the tracer has read it: these calls succeed and do
 * nothing, and so does hiding from other processes of the user, which the tracer is. A port that `bind` did not choose is a way
 * around the recorder (`followOwnPorts`). A descriptor cannot lose its times of access
 * after it was opened; opening without them is seen.
 */
function withoutEvasions({ seccomp, prctl, fcntl, setsockopt, scheduling }: Architecture): Instruction[] {
  return [
    ...answer(seccomp, TRAP),
    ...scheduling.flatMap((number) => answer(number, refuse(0))),
    ...whenCalled(prctl, [
      load(OFFSET.firstArgument),
      ...answer(PR_SET_SECCOMP, TRAP),
      ...answer(PR_SET_DUMPABLE, refuse(0)),
      answerWith(ALLOW),
    ]),
    ...answer(MEMFD_SECRET, refuse(ERRNO.ENOSYS)),
    ...whenCalled(fcntl, [
      load(argument(1)),
      ...whenCalled(F_SETFL, [...whenFlagged(2, O_NOATIME, refuse(ERRNO.EPERM)), answerWith(ALLOW)]),
      answerWith(ALLOW),
    ]),
    ...whenCalled(setsockopt, [
      load(argument(2)),
      ...whenCalled(IP_LOCAL_PORT_RANGE, [
        load(argument(1)),
        ...answer(LEVEL_IP, refuse(ERRNO.ENOPROTOOPT)),
        answerWith(ALLOW),
      ]),
      answerWith(ALLOW),
    ]),
    [CODE.ifAtLeast, NEWEST_TRACED + 1, 0, 1],
    answerWith(refuse(ERRNO.ENOSYS)),
  ];
}

/** Asking for a descriptor is most of what interpreters ask, and is not traced; its path was when it was opened. */
function stopAt({ number, emptyPath }: TracedCall): Instruction[] {
  if (emptyPath === undefined) return answer(number, TRACE);
  return whenCalled(number, [
    load(argument(0)),
    ...answer(AT_FDCWD, TRACE),
    ...whenFlagged(emptyPath, AT_EMPTY_PATH, ALLOW),
    answerWith(TRACE),
  ]);
}

const argument = (index: number) => OFFSET.firstArgument + index * ARGUMENT_BYTES;
const whenFlagged = (index: number, flag: number, value: number): Instruction[] => [
  load(argument(index)),
  [CODE.ifAnyBit, flag, 0, 1],
  answerWith(value),
];

function encode([code, value, ifTrue = 0, ifFalse = 0]: Instruction): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeUInt16LE(code, 0);
  bytes.writeUInt8(ifTrue, 2);
  bytes.writeUInt8(ifFalse, 3);
  bytes.writeUInt32LE(value >>> 0, 4);
  return bytes;
}
