import { request } from "node:http";
import type { Instance } from "./instance";

/** Reads an answer of any length; returns its number of bytes. */
export function download({ url, token }: Pick<Instance, "url" | "token">, path: string): Promise<number> {
  return new Promise((resolve, reject) => {
    request(`${url}${path}`, { headers: { authorization: `Bearer ${token}` } }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`GET ${path} answered ${response.statusCode}`));
      let bytes = 0;
      response.on("data", (chunk: Buffer) => {
        bytes += chunk.length;
      });
      response.once("end", () => resolve(bytes));
      response.once("error", reject);
    })
      .once("error", reject)
      .end();
  });
}
