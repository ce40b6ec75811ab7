import { createSocket } from "node:dgram";
import { expect, it, onTestFinished } from "vitest";
import * as probeDns from "./probe_dns";
import { callBuiltin } from "./testing/call-builtin";

const LOOPBACK = { env: { SKILLGATE_RUN_RANGES: "127.0.0.1" } };

/**
 * Starts a name server that answers every question with one A record, with "no such name", or not at all (RFC 1035, section 4).
 */
async function serveDns(answer: "address" | "no such name" | "silence"): Promise<string> {
  const socket = createSocket("udp4");
  socket.on("message", (question, from) => {
    if (answer === "silence") return;
    const header = Buffer.from(question.subarray(0, 12));
    const found = answer === "address";
    header.writeUInt16BE(found ? 0x8180 : 0x8183, 2);
    header.writeUInt16BE(found ? 1 : 0, 6);
    header.writeUInt32BE(0, 8);
    const end = question.indexOf(0, 12) + 5;
    const record = Buffer.from([0xc0, 0x0c, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, 192, 0, 2, 7]);
    const body = [header, question.subarray(12, end), ...(found ? [record] : [])];
    socket.send(Buffer.concat(body), from.port, from.address);
  });
  await new Promise<void>((resolve) => socket.bind(0, "127.0.0.1", resolve));
  onTestFinished(() => void socket.close());
  return `127.0.0.1:${socket.address().port}`;
}

it("answers with the records of the name server it was told to ask", async () => {
  const server = await serveDns("address");
  expect(await callBuiltin(probeDns, { name: "host.example", server }, LOOPBACK)).toMatchObject({
    ok: true,
    answers: ["192.0.2.7"],
    servers: [server],
    error: null,
  });
});

it("tells of a name that does not exist, and of a name server that keeps silent", async () => {
  const none = await callBuiltin(probeDns, { name: "host.example", server: await serveDns("no such name") }, LOOPBACK);
  expect(none).toMatchObject({ ok: false, error: { code: "ENOTFOUND", message: "There is no name host.example." } });
  const silent = { name: "host.example", server: await serveDns("silence"), timeout_ms: 200 };
  expect(await callBuiltin(probeDns, silent, LOOPBACK)).toMatchObject({ ok: false, answers: [] });
});

it("refuses a server that is no address", async () => {
  for (const server of ["dns.example", "127.0.0.1:0", "[::1]:00"]) {
    await expect(callBuiltin(probeDns, { name: "a.example", server })).rejects.toThrow("not an IP address");
  }
});
