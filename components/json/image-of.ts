export type ImageData = { mediaType: string; base64: string };
/** Images, and an SVG that is only shown as source. */
export type ImagesOf = { images: readonly ImageData[]; svg: string | null };

const none: ImagesOf = { images: [], svg: null };
const imagesAtMost = 20;

/** Base64 magic bytes per type, since declared types are not trusted. */
const beginnings: Record<string, RegExp> = {
  "image/png": /^iVBORw0KGg/,
  "image/jpeg": /^\/9j\//,
  "image/gif": /^R0lGOD[dl]/,
  "image/webp": /^UklGR/,
};

/**
 * Finds images in a value: a `data:` URL, `{mimeType | mediaType, data}` with base64, or MCP content (a list of such parts,
 * alone or as `content`). PNG, JPEG, GIF and WebP are checked by magic bytes; SVG can contain scripts and is returned as text.
 */
export function imagesOf(value: unknown): ImagesOf {
  const found = candidatesOf(value).slice(0, imagesAtMost).map(readCandidate);
  const images = found.flatMap((one) => one.images);
  const svg = found.find((one) => one.svg !== null)?.svg ?? null;
  return images.length === 0 && svg === null ? none : { images, svg };
}

function candidatesOf(value: unknown): unknown[] {
  if (Array.isArray(value)) return value;
  const content = (value as { content?: unknown } | null)?.content;
  return Array.isArray(content) ? content : [value];
}

function readCandidate(value: unknown): ImagesOf {
  if (typeof value === "string") {
    const match = /^data:(image\/[a-z0-9.+-]+)(;base64)?,/i.exec(value);
    if (!match?.[1]) return none;
    const data = value.slice(match[0].length);
    return match[2] ? readImage(match[1], data) : readPlain(match[1], data);
  }
  if (typeof value !== "object" || value === null) return none;
  const { mimeType, mediaType, data } = value as Record<string, unknown>;
  const type = typeof mimeType === "string" ? mimeType : mediaType;
  if (typeof type !== "string" || typeof data !== "string") return none;
  return data.startsWith("data:") ? readCandidate(data) : readImage(type, data);
}

function readImage(type: string, data: string): ImagesOf {
  const mediaType = type.toLowerCase().replace("image/jpg", "image/jpeg");
  const base64 = data.replace(/\s+/g, "");
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(base64)) return none;
  if (mediaType === "image/svg+xml") return { images: [], svg: decodeText(base64) };
  return beginnings[mediaType]?.test(base64) ? { images: [{ mediaType, base64 }], svg: null } : none;
}

function readPlain(type: string, data: string): ImagesOf {
  if (type.toLowerCase() !== "image/svg+xml") return none;
  try {
    return { images: [], svg: decodeURIComponent(data) };
  } catch {
    return { images: [], svg: data };
  }
}

function decodeText(base64: string): string | null {
  try {
    return new TextDecoder().decode(Uint8Array.from(atob(base64), (char) => char.charCodeAt(0)));
  } catch {
    return null;
  }
}
