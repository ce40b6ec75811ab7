import { Agent, type ClientRequest, request } from "node:http";
import { must, publishSkill } from "../harness/publish-skill";
import type { BlockingCase, Instance } from "./instance";

const STREAMS = 500;

let runId = "";

/** 500 new event streams of one run at once, closed again after all have answered. */
export const streamsCase: BlockingCase = {
  name: "streams",
  prepare: async ({ caller }) => {
    const skill = await publishSkill(caller, "streamed", "#!/bin/sh\nsleep 600\n");
    const { id } = await must<{ id: string }>(caller, "POST", `/api/skills/${skill}/runs`, { args: {} });
    runId = id;
  },
  run: async (instance) => {
    const agent = new Agent({ maxSockets: STREAMS });
    const streams = await Promise.all(Array.from({ length: STREAMS }, () => open(instance, agent)));
    for (const stream of streams) stream.destroy();
    return `${streams.length} streams`;
  },
};

function open({ url, token }: Instance, agent: Agent): Promise<ClientRequest> {
  return new Promise((resolve, reject) => {
    const stream = request(`${url}/api/runs/${runId}/events`, {
      agent,
      headers: { authorization: `Bearer ${token}`, accept: "text/event-stream" },
    });
    stream.once("response", (response) => {
      response.on("error", () => {});
      response.resume();
      if (response.statusCode === 200) resolve(stream);
      else reject(new Error(`a stream answered ${response.statusCode}`));
    });
    stream.once("error", reject);
    stream.end();
  });
}
