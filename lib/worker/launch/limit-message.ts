import { storableText } from "@/lib/skill-format/json-values";

const MAX_MESSAGE = 4000;

/** An error message within what an outcome can carry: `what (stderr: tail)`, where the tail loses its beginning first. */
export function limitMessage(what: string, stderrTail = ""): string {
  const text = storableText(what.slice(0, MAX_MESSAGE));
  const room = MAX_MESSAGE - text.length - " (stderr: …)".length;
  if (stderrTail === "" || room <= 0) return text;
  const tail = storableText(stderrTail);
  return `${text} (stderr: ${tail.length > room ? `…${keepEnd(tail, room)}` : tail})`;
}

function keepEnd(text: string, length: number): string {
  const end = text.slice(-length);
  // The cut may have gone through a surrogate pair.
  return /^[\udc00-\udfff]/.test(end) ? end.slice(1) : end;
}
