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
