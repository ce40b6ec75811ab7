import { expect, it } from "vitest";
import { readServerEvents } from "./playground";

function streamOf(chunks: Uint8Array[]): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk);
      controller.close();
    },
  });
}

async function all(chunks: Uint8Array[]): Promise<string[]> {
  const found: string[] = [];
  for await (const data of readServerEvents(streamOf(chunks))) found.push(...data);
  return found;
}

const text = 'event: text\ndata: {"text":"grün"}\n\n: still here\n\nevent: end\ndata: one\ndata: two\n\ndata: cut';

it("reads events wherever their bytes are cut, also inside a letter", async () => {
  const bytes = new TextEncoder().encode(text);
  const whole = ['{"text":"grün"}', "one\ntwo"];
  expect(await all([bytes])).toEqual(whole);
  for (let at = 1; at < bytes.length; at++) {
    expect(await all([bytes.slice(0, at), bytes.slice(at)])).toEqual(whole);
  }
});
