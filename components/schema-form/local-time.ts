/** An ISO moment as `datetime-local` writes it, in the reader's zone; null when it is no moment. */
export function toLocalInput(iso: string): string | null {
  const isMoment = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/i.test(iso);
  const time = isMoment ? new Date(iso) : null;
  if (!time || Number.isNaN(time.getTime())) return null;
  const pad = (value: number, length = 2) => String(value).padStart(length, "0");
  const day = `${pad(time.getFullYear(), 4)}-${pad(time.getMonth() + 1)}-${pad(time.getDate())}`;
  return `${day}T${pad(time.getHours())}:${pad(time.getMinutes())}:${pad(time.getSeconds())}`;
}

/** The way back, in UTC; null for what is not complete. */
export function fromLocalInput(local: string): string | null {
  const time = new Date(local);
  return Number.isNaN(time.getTime()) ? null : time.toISOString().replace(".000Z", "Z");
}
