/** Leaves for a page with a whole load, so that the server sees the new session. */
export function goTo(path: string): void {
  window.location.assign(path);
}
