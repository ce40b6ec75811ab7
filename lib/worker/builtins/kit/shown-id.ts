/** What the kernel shows for an id that means nothing inside a user namespace (/proc/sys/kernel/overflowuid). */
const UNMAPPED = 65_534;

/** A user or group id of the host, or null where the sandbox does not tell. */
export function shownId(id: number): number | null {
  return id === UNMAPPED ? null : id;
}
