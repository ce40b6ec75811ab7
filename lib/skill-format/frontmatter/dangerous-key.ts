/** Names that reach an object's prototype when a careless copy is made; they never enter a manifest. */
export function isDangerousKey(key: string): boolean {
  return key === "__proto__" || key === "constructor" || key === "prototype";
}
