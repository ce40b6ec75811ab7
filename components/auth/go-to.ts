/** Loads the page again, so that the server sees the new session. */
export function goTo(path: string): void {
  window.location.assign(path);
}
