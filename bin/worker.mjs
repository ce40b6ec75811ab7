import { pathToFileURL } from "node:url";
import { requireNode } from "./require-node.mjs";

requireNode();
const { buildWorker } = await import("./build-worker.mjs");
await import(pathToFileURL(await buildWorker()).href);
