/**
 * The `data` of Server-Sent Events (HTML standard, section 9.2), in the order in which they come, from a stream of bytes
 * that is cut anywhere. Comments and other fields are passed over; an event that the stream ends in the middle of is dropped.
 */
export async function* readServerEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<string[]> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = "";
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      const blocks = (rest + decoder.decode(value, { stream: true })).split("\n\n");
      rest = blocks.pop() ?? "";
      const found = blocks.map(dataOf).filter((data) => data !== "");
      if (found.length > 0) yield found;
    }
  } finally {
    await reader.cancel().catch(() => {}); // It may have failed, which is why this ends.
  }
}

function dataOf(block: string): string {
  const lines = block.split("\n").filter((line) => line.startsWith("data:"));
  return lines.map((line) => line.slice("data:".length).replace(/^ /, "")).join("\n");
}
