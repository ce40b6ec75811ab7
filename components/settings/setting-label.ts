/** `maxTimeoutSeconds` → "Max timeout seconds"; units keep their capitals. */
export function settingLabel(key: string): string {
  const words = key
    .replace(/(MiB|KiB)$/, " $1")
    .replace(/([a-z])([A-Z])(?=[a-z])/g, (_, before: string, next: string) => {
      return `${before} ${next.toLowerCase()}`;
    });
  const text = words.replace(/ +/g, " ").replace(/ mi B$/, " MiB");
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
