const pollMs = 200;

/**
 * Calls `onGone` when npm, which started this process, was killed (SIGKILL). Only under npm: a launcher that was put
 * into the background outlives its shell.
 */
export function watchParent(onGone, env = process.env) {
  if (!env.npm_lifecycle_event) return;
  const parent = process.ppid;
  setInterval(() => process.ppid !== parent && onGone(), pollMs).unref();
}
