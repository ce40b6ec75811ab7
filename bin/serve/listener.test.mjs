import { createServer } from "node:http";
import { expect, it } from "vitest";
import { drain, listenAddress, localUrl } from "./listener.mjs";

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

it.each([
  [{}, { host: "127.0.0.1", port: 3000, problems: [] }],
  [
    { HOST: "", PORT: "" },
    { host: "127.0.0.1", port: 3000, problems: [] },
  ],
  [
    { HOST: "::", PORT: "8080" },
    { host: "::", port: 8080, problems: [] },
  ],
  [{ PORT: "0" }, { host: "127.0.0.1", port: 0, problems: [] }],
])("reads %j", (env, address) => {
  expect(listenAddress(env)).toEqual(address);
});

it.each(["abc", "-1", "65536", "3000.5", "1e9"])("names PORT=%s as wrong", (PORT) => {
  expect(listenAddress({ PORT }).problems).toEqual(["PORT: must be a port number"]);
});

it.each([
  ["127.0.0.1", "http://127.0.0.1:3000"],
  ["0.0.0.0", "http://127.0.0.1:3000"],
  ["::", "http://[::1]:3000"],
  ["box.local", "http://box.local:3000"],
])("reaches a listener on %s at %s", (host, url) => {
  expect(localUrl(host, 3000)).toBe(url);
});
