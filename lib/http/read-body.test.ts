import { expect, test } from "vitest";
import { sha256Hex } from "@/lib/core/hash";
import { readJson, readUploadedFile } from "./read-body";

const LARGE = 2 * 1024 * 1024;
const MAX = 4 * LARGE;
const url = "http://127.0.0.1/api";
const jsonRequest = (body: BodyInit) =>
  new Request(url, { method: "POST", headers: { "content-type": "application/json" }, body });

test("a JSON body is read alike below and above the size from which a thread parses it", async () => {
  for (const length of [10, LARGE]) {
    const value = { text: "x".repeat(length), list: [1, { a: null }] };
    expect(await readJson(jsonRequest(JSON.stringify(value)), MAX)).toEqual(value);
    await expect(readJson(jsonRequest(`"${"x".repeat(length)}`), MAX)).rejects.toMatchObject({ code: "malformed" });
  }
  await expect(readJson(jsonRequest(`[${"0,".repeat(1_100_000)}0]`), MAX)).rejects.toMatchObject({ code: "too_large" });
});

async function upload(fields: [string, File | string][]) {
  const form = new FormData();
  for (const [name, value] of fields) form.append(name, value);
  const request = new Request(url, { method: "POST", body: form });
  const body = new Uint8Array(await request.clone().arrayBuffer());
  return { request, body };
}

test("an uploaded file is read alike below and above that size, and again for the same body", async () => {
  for (const length of [10, LARGE]) {
    const file = new File([new Uint8Array(length).fill(7)], "skills.zip");
    const { request, body } = await upload([["file", file]]);
    const first = await readUploadedFile(request, body);
    expect([first.filename, sha256Hex(first.bytes)]).toEqual(["skills.zip", sha256Hex(new Uint8Array(length).fill(7))]);
    expect((await readUploadedFile(request, body)).bytes).toBe(first.bytes);
  }
});

test("a body without exactly one file is refused", async () => {
  const file = new File(["a"], "a.zip");
  const shapes: [string, File | string][][] = [
    [["other", file]],
    [
      ["file", file],
      ["file", file],
    ],
    [["file", "text"]],
    [
      ["file", file],
      ["file", "text"],
    ],
  ];
  for (const fields of shapes) {
    const { request, body } = await upload(fields);
    await expect(readUploadedFile(request, body)).rejects.toMatchObject({ code: "invalid" });
  }
  const { request, body } = await upload([["file", file]]);
  await expect(readUploadedFile(request, body.slice(0, -8))).rejects.toMatchObject({ code: "malformed" });
});
