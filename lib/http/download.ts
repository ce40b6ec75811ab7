type Download = {
  filename: string;
  contentType: string;
  bytes: Uint8Array<ArrayBuffer>;
  etag: string;
  inline?: boolean;
};

/** Sends untrusted bytes, which browsers never render in our origin. */
export function download({ filename, contentType, bytes, etag, inline = false }: Download): Response {
  const name = encodeURIComponent(filename).replaceAll("'", "%27");
  return new Response(bytes, {
    headers: {
      "content-type": contentType === "text/plain" ? "text/plain; charset=utf-8" : contentType,
      "content-disposition": inline ? "inline" : `attachment; filename*=UTF-8''${name}`,
      "content-security-policy": "sandbox; default-src 'none'; frame-ancestors 'none'",
      "x-content-type-options": "nosniff",
      etag: `"${etag}"`,
    },
  });
}
