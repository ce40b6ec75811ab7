import { detachSessions } from "./mcp-sessions";
import { leaveExchanges } from "./stateless/answer-stateless";
import { openStreams } from "./stateless/change-streams";

/** Ends all waiting of MCP clients when the process stops; runs in progress continue, for get_run. */
export async function detachClients(): Promise<void> {
  leaveExchanges();
  for (const stream of openStreams()) stream.end();
  await detachSessions();
}
