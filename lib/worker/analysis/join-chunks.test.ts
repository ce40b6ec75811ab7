import { expect, it } from "vitest";
import { joinChunks } from "./join-chunks";

const HEAD = "POST /u HTTP/1.1\r\nHost: a.example\r\nTransfer-Encoding: chunked\r\n\r\n";

function join(text: string): [string, string, string] | null {
  const joined = joinChunks(Buffer.from(text, "latin1"));
  return joined === null ? null : (joined.bytes.toString("latin1").split("\0") as [string, string, string]);
}

it("joins the chunks of all requests of a connection", () => {
  expect(join(`${HEAD}3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n${HEAD}A\r\n0123456789\r\n0\r\n\r\n`)).toEqual([
    ...["abcde0123456789", "", ""],
  ]);
  expect(join(`${HEAD.toLowerCase().replaceAll("\r", "")}003\nabc\n +0x2 ;x\nde`)).toEqual(["abcde", "x", ""]);
});

it("has no other body, and takes what is no size for data", () => {
  expect(join("POST /u HTTP/1.1\r\ncontent-length: 10\r\n\r\n3\r\nabc\r\n")).toBeNull();
  expect(join("GET / HTTP/1.1\r\nTransfer-Encoding: chunked")).toBeNull();
  expect(join(`${HEAD}3\r\nabc\r\n\r\nghijk\r\n2\r\nde\r\n`)?.[0]).toBe("abcghijkde");
});

it("joins extensions and trailers", () => {
  const chunks = '1;a=one;b="two"\r\nx\r\n1;three\r\ny\r\n0;c\r\nX-1: four\r\nX-2: five\r\n\r\n';
  expect(join(HEAD + chunks)).toEqual(["xy", "abthreecX-1X-2", "onetwo four five"]);
});

it("reads a request that seems to be in the chunk of another", () => {
  const hidden = `${HEAD}3\r\nghp\r\n3\r\n_ab\r\n`;
  expect(join(`${HEAD}ffff\r\n${hidden}`)?.[0]).toContain("ghp_ab");
});

it("reads in limited work, and says what it left out", () => {
  for (const part of [`${HEAD}fffff\r\n`, "\ntransfer-encoding:", `${HEAD}zz`, "\ntransfer-encoding:\n\n1;=;=\n"]) {
    const connection = Buffer.from(part.repeat(Math.ceil((256 * 1024) / part.length)));
    const before = performance.now();
    const joined = joinChunks(connection);
    expect(performance.now() - before).toBeLessThan(2_000);
    expect(joined?.bytes.length ?? 0).toBeLessThan(connection.length * 5);
    if (part.includes("ffff")) expect(joined?.isWhole).toBe(false);
  }
  const chunk = Buffer.from(HEAD + "1\r\na\r\n".repeat(40_000));
  expect(joinChunks(chunk)).toMatchObject({ isWhole: true, bytes: Buffer.from(`${"a".repeat(40_000)}\0\0`) });
});
