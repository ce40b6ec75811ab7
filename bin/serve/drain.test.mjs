import { createServer } from "node:http";
import { expect, it } from "vitest";
import { drain } from "./drain.mjs";

async function listen(handler) {
  const server = createServer(handler);
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { server, url: `http://127.0.0.1:${server.address().port}` };
}

it("lets a request in flight finish and accepts no other", async () => {
  let answer;
  const arrived = new Promise((resolve) => {
    answer = resolve;
  });
  const { server, url } = await listen((_, response) => answer(response));
  const inFlight = fetch(url).then((response) => response.text());
  const response = await arrived;
  const drained = drain(server, 5_000);
  await expect(fetch(url)).rejects.toThrow();
  response.end("done");
  expect(await inFlight).toBe("done");
  await drained;
});

it("cuts what does not finish in time", async () => {
  const { server, url } = await listen((_, response) => response.write("an endless stream"));
  const stream = await fetch(url);
  await drain(server, 100);
  await expect(stream.text()).rejects.toThrow();
});
