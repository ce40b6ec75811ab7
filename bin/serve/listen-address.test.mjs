import { expect, it } from "vitest";
import { listenAddress, localUrl } from "./listen-address.mjs";

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
