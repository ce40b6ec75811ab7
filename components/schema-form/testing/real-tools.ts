import { messageOperations } from "./api-messages";
import { workOperations } from "./api-work";
import { localTools } from "./mcp-local";
import { serviceTools } from "./mcp-services";
import type { RealTool } from "./real-tool";

/** 40 schemas of tools and operations in use: half from MCP servers, half from OpenAPI documents. */
export const realTools: readonly RealTool[] = [...localTools, ...serviceTools, ...workOperations, ...messageOperations];
