/** The worker was started with settings it cannot work with; the message says which one and what it must be. */
export class SettingsError extends Error {
  override readonly name = "SettingsError";
}
