import { pathToFileURL } from "node:url";
import { requireNode } from "./require-node.mjs";

requireNode();
const { buildWorker } = await import("./prepare/build.mjs");
await import(pathToFileURL(await buildWorker()).href);
