import type { TracedCall } from "../sandbox/seccomp-filter";

/** The argument of flags that the filter looks at is that of `TracedCall`. */
type Numbers = { x64?: number; arm64?: number; emptyPath?: number };

/** Calls that only ask whether a path exists. */
const LOOK_NUMBERS: Record<string, Numbers> = {
  stat: { x64: 4 },
  lstat: { x64: 6 },
  newfstatat: { x64: 262, arm64: 79, emptyPath: 3 },
  statx: { x64: 332, arm64: 291, emptyPath: 2 },
  access: { x64: 21 },
  faccessat: { x64: 269, arm64: 48 },
  faccessat2: { x64: 439, arm64: 439 },
  readlink: { x64: 89 },
  readlinkat: { x64: 267, arm64: 78 },
};

/** Calls that change the paths they name. */
const CHANGE_NUMBERS: Record<string, Numbers> = {
  unlink: { x64: 87 },
  unlinkat: { x64: 263, arm64: 35 },
  rename: { x64: 82 },
  renameat: { x64: 264, arm64: 38 },
  renameat2: { x64: 316, arm64: 276 },
  mkdir: { x64: 83 },
  mkdirat: { x64: 258, arm64: 34 },
  rmdir: { x64: 84 },
  truncate: { x64: 76, arm64: 45 },
  symlink: { x64: 88 },
  symlinkat: { x64: 266, arm64: 36 },
  link: { x64: 86 },
  linkat: { x64: 265, arm64: 37 },
  chmod: { x64: 90 },
  fchmodat: { x64: 268, arm64: 53 },
  chown: { x64: 92 },
  lchown: { x64: 94 },
  fchownat: { x64: 260, arm64: 54 },
  mknod: { x64: 133 },
  mknodat: { x64: 259, arm64: 33 },
};

const SEND_NUMBERS: Record<string, Numbers> = {
  sendto: { x64: 44, arm64: 206 },
  sendmsg: { x64: 46, arm64: 211 },
  sendmmsg: { x64: 307, arm64: 269 },
};

const OTHER_NUMBERS: Record<string, Numbers> = {
  execve: { x64: 59, arm64: 221 },
  execveat: { x64: 322, arm64: 281 },
  open: { x64: 2 },
  openat: { x64: 257, arm64: 56 },
  openat2: { x64: 437, arm64: 437 },
  creat: { x64: 85 },
  chdir: { x64: 80, arm64: 49 },
  fchdir: { x64: 81, arm64: 50 },
  socket: { x64: 41, arm64: 198 },
  connect: { x64: 42, arm64: 203 },
  bind: { x64: 49, arm64: 200 },
  listen: { x64: 50, arm64: 201 },
  clone: { x64: 56, arm64: 220 },
  fork: { x64: 57 },
  vfork: { x64: 58 },
  // These only because the tracer answers them (`ANSWERED`, `hidePin`).
  io_uring_setup: { x64: 425, arm64: 425 },
  sched_getaffinity: { x64: 204, arm64: 123 },
};

export const LOOKS = new Set(Object.keys(LOOK_NUMBERS));
export const CHANGES = new Set(Object.keys(CHANGE_NUMBERS));
export const SENDS = new Set(Object.keys(SEND_NUMBERS));

const CALLS = { ...LOOK_NUMBERS, ...CHANGE_NUMBERS, ...SEND_NUMBERS, ...OTHER_NUMBERS };

/** The calls to trace as the tracer names them; one that another architecture does not have is skipped with the `?`. */
export const TRACED_NAMES = Object.keys(CALLS).map((name) => `?${name}`);

/** The same calls for the filter, with the numbers of Linux (`asm/unistd_64.h`, `asm-generic/unistd.h`). */
export function tracedCalls(architecture: string): (TracedCall & { name: string })[] {
  return Object.entries(CALLS).flatMap(([name, { x64, arm64, ...looked }]) => {
    const number = architecture === "x64" ? x64 : architecture === "arm64" ? arm64 : undefined;
    return number === undefined ? [] : [{ name, number, ...looked }];
  });
}
