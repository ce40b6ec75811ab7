import { type AddressInfo, createServer } from "node:net";
import { expect, it } from "vitest";
import * as probeTcp from "./probe_tcp";
import { callBuiltin } from "./testing/call-builtin";

const LOOPBACK = { env: { SKILLGATE_RUN_RANGES: "127.0.0.1" } };

it("tells an open port from a closed one", async () => {
  const server = createServer((socket) => void socket.destroy());
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const where = { host: "127.0.0.1", port };
  expect(await callBuiltin(probeTcp, where, LOOPBACK)).toMatchObject({ open: true, address: "127.0.0.1", error: null });
  await new Promise((resolve) => server.close(resolve));
  expect(await callBuiltin(probeTcp, where, LOOPBACK)).toMatchObject({ open: false, error: { code: "ECONNREFUSED" } });
});
