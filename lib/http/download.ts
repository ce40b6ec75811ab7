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

/** Streams text as a file download, for content that is too large to be held in memory. */
export function streamText(
  pieces: AsyncGenerator<string>,
  { filename, contentType }: { filename: string; contentType: string },
): Response {
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { value, done } = await pieces.next();
      if (done) controller.close();
      else controller.enqueue(encoder.encode(value));
    },
    cancel: async () => {
      await pieces.return(undefined);
    },
  });
  return new Response(body, {
    headers: {
      "content-type": contentType,
      "content-disposition": `attachment; filename="${filename}"`,
      "content-security-policy": "sandbox; default-src 'none'; frame-ancestors 'none'",
      "cache-control": "private, no-store",
      "x-content-type-options": "nosniff",
    },
  });
}
