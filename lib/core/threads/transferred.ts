/** The buffers of the byte arrays in a task's input or output, down to two levels; posting moves them instead of copying. */
export function buffersOf(value: unknown, levels = 3): ArrayBuffer[] {
  if (value instanceof Uint8Array) {
    const { buffer } = value;
    return buffer instanceof ArrayBuffer && buffer.byteLength === value.byteLength ? [buffer] : [];
  }
  if (levels === 0 || typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap((inner) => buffersOf(inner, levels - 1));
}
