/** Shorter values are not redacted, since they would match everywhere. In characters. */
export const MIN_SECRET_LENGTH = 6;

const MIN_VISIBLE = 6;

/**
 * Likely encodings of a secret, as UTF-8: plain, line by line, JSON-escaped, URL-encoded, hex, Base64 and base64url.
 * Within longer encoded text Base64 has three alignments.
 */
export function secretForms(value: string): Set<string> {
  const whole = Buffer.from(value, "utf8").toString("utf8");
  const lines = whole.split(/\r\n|\r|\n/).map((line) => line.trim());
  const texts = new Set([whole, whole.trim(), ...lines].filter((text) => text.trim().length >= MIN_SECRET_LENGTH));
  const forms = new Set<string>();
  for (const text of texts) {
    const bytes = Buffer.from(text, "utf8");
    for (const form of [
      text,
      ...jsonForms(text),
      ...urlForms(text, bytes),
      ...hexForms(bytes),
      ...base64Forms(bytes),
    ]) {
      if (form.replace(/\s/g, "").length >= MIN_VISIBLE) forms.add(form);
    }
  }
  return forms;
}

function jsonForms(text: string): string[] {
  const escaped = inJson(text);
  const ascii = (digits: (hex: string) => string) =>
    escaped.replace(/[\u007f-\uffff]/g, (unit) => `\\u${digits(unit.charCodeAt(0).toString(16).padStart(4, "0"))}`);
  const plain = [escaped, ascii((hex) => hex), ascii((hex) => hex.toUpperCase())];
  const slashes = plain.map((form) => form.replaceAll("/", "\\/"));
  return [...plain, ...slashes, inJson(escaped)];
}

function inJson(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

function urlForms(text: string, bytes: Buffer): string[] {
  const component = encodeURIComponent(text);
  const strict = component.replace(/[!'()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`);
  const every = [...bytes].map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, "0")}`).join("");
  const path = strict.replaceAll("%2F", "/");
  const form = new URLSearchParams({ text }).toString().slice("text=".length);
  const spaced = [component, strict, path].map((encoded) => encoded.replaceAll("%20", "+"));
  const upper = [component, strict, path, form, ...spaced, every, encodeURI(text)];
  return [...upper, ...upper.map((encoded) => encoded.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase()))];
}

function hexForms(bytes: Buffer): string[] {
  const hex = bytes.toString("hex");
  return [hex, hex.toUpperCase()];
}

function base64Forms(bytes: Buffer): string[] {
  const aligned = [0, 1, 2].map((before) => {
    const encoded = Buffer.concat([Buffer.alloc(before), bytes]).toString("base64");
    // Cuts characters that share bits with neighbouring bytes.
    return encoded.slice(Math.ceil((before * 8) / 6), Math.floor(((before + bytes.length) * 8) / 6));
  });
  const alone = bytes.toString("base64");
  const plain = [alone, alone.replace(/=+$/, ""), ...aligned];
  return [...plain, ...plain.map((form) => form.replaceAll("+", "-").replaceAll("/", "_"))];
}
