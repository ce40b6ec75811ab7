import type { RealTool } from "./real-tool";

const path = { type: "string" };
const text = { type: "string" };
const repository = { repo_path: { title: "Repo Path", type: "string" } };
const orNull = (title: string, type: string, description?: string) => ({
  anyOf: [{ type }, { type: "null" }],
  default: null,
  title,
  ...(description ? { description } : {}),
});

/** Ten tools of MCP servers that work on the local machine. */
export const localTools: readonly RealTool[] = [
  {
    name: "filesystem edit_file",
    source: "https://github.com/modelcontextprotocol/servers/tree/main/src/filesystem",
    schema: {
      type: "object",
      required: ["path", "edits"],
      properties: {
        path,
        edits: {
          type: "array",
          items: {
            type: "object",
            required: ["oldText", "newText"],
            additionalProperties: false,
            properties: {
              oldText: { type: "string", description: "Text that must be in the file exactly like this" },
              newText: { type: "string", description: "Text that takes its place" },
            },
          },
        },
        dryRun: { type: "boolean", default: false, description: "Show the difference without writing the file" },
      },
    },
  },
  {
    name: "filesystem read_text_file",
    source: "https://github.com/modelcontextprotocol/servers/tree/main/src/filesystem",
    schema: {
      type: "object",
      required: ["path"],
      properties: {
        path,
        head: { type: "number", description: "Return only this many first lines" },
        tail: { type: "number", description: "Return only this many last lines" },
      },
    },
  },
  {
    name: "filesystem search_files",
    source: "https://github.com/modelcontextprotocol/servers/tree/main/src/filesystem",
    schema: {
      type: "object",
      required: ["path", "pattern"],
      properties: {
        path,
        pattern: { type: "string" },
        excludePatterns: { type: "array", items: { type: "string" }, default: [] },
      },
    },
  },
  {
    name: "memory create_entities",
    source: "https://github.com/modelcontextprotocol/servers/tree/main/src/memory",
    schema: {
      type: "object",
      required: ["entities"],
      properties: {
        entities: {
          type: "array",
          items: {
            type: "object",
            required: ["name", "entityType", "observations"],
            properties: {
              name: { type: "string", description: "Name of the entity" },
              entityType: { type: "string", description: "Kind of the entity" },
              observations: { type: "array", items: { type: "string" }, description: "Facts about the entity" },
            },
          },
        },
      },
    },
  },
  {
    name: "sequentialthinking",
    source: "https://github.com/modelcontextprotocol/servers/tree/main/src/sequentialthinking",
    schema: {
      type: "object",
      required: ["thought", "nextThoughtNeeded", "thoughtNumber", "totalThoughts"],
      properties: {
        thought: { type: "string", description: "The current step" },
        nextThoughtNeeded: { type: "boolean", description: "Whether another step follows" },
        thoughtNumber: { type: "integer", minimum: 1, description: "Number of this step" },
        totalThoughts: { type: "integer", minimum: 1, description: "Estimated number of steps" },
        isRevision: { type: "boolean", description: "Whether this step corrects an earlier one" },
        revisesThought: { type: "integer", minimum: 1, description: "The step that is corrected" },
        branchId: { type: "string", description: "Name of the branch" },
      },
    },
  },
  {
    name: "fetch",
    source: "https://github.com/modelcontextprotocol/servers/tree/main/src/fetch",
    schema: {
      type: "object",
      required: ["url"],
      title: "Fetch",
      properties: {
        url: { type: "string", format: "uri", minLength: 1, title: "Url", description: "Address to read" },
        max_length: {
          ...{ type: "integer", default: 5000, exclusiveMinimum: 0, exclusiveMaximum: 1_000_000 },
          ...{ title: "Max Length", description: "Return at most this many characters" },
        },
        start_index: {
          ...{ type: "integer", default: 0, minimum: 0, title: "Start Index" },
          description: "Start the text at this character",
        },
        raw: { type: "boolean", default: false, title: "Raw", description: "Return the HTML unchanged" },
      },
    },
  },
  {
    name: "git git_log",
    source: "https://github.com/modelcontextprotocol/servers/blob/main/src/git/src/mcp_server_git/server.py",
    schema: {
      type: "object",
      required: ["repo_path"],
      title: "GitLog",
      properties: {
        ...repository,
        max_count: { type: "integer", default: 10, title: "Max Count" },
        start_timestamp: orNull("Start Timestamp", "string", "Only commits after this time"),
        end_timestamp: orNull("End Timestamp", "string", "Only commits before this time"),
      },
    },
  },
  {
    name: "git git_branch",
    source: "https://github.com/modelcontextprotocol/servers/blob/main/src/git/src/mcp_server_git/server.py",
    schema: {
      type: "object",
      required: ["repo_path", "branch_type"],
      title: "GitBranch",
      properties: {
        ...repository,
        branch_type: { type: "string", title: "Branch Type", description: "local, remote or all" },
        contains: orNull("Contains", "string", "Only branches that contain this commit"),
        not_contains: orNull("Not Contains", "string", "Only branches without this commit"),
      },
    },
  },
  {
    name: "playwright browser_fill_form",
    source: "https://github.com/microsoft/playwright-mcp#tools",
    schema: {
      $schema: "http://json-schema.org/draft-07/schema#",
      type: "object",
      required: ["fields"],
      additionalProperties: false,
      properties: {
        fields: {
          type: "array",
          description: "Fields to fill",
          items: {
            type: "object",
            required: ["name", "type", "ref", "value"],
            additionalProperties: false,
            properties: {
              name: { type: "string", description: "Name of the field for people" },
              type: { type: "string", enum: ["textbox", "checkbox", "radio", "combobox", "slider"] },
              ref: { type: "string", description: "Reference from the snapshot of the page" },
              value: { type: "string", description: "Value to enter; true or false for a checkbox" },
            },
          },
        },
      },
    },
  },
  {
    name: "playwright browser_click",
    source: "https://github.com/microsoft/playwright-mcp#tools",
    schema: {
      type: "object",
      required: ["ref"],
      additionalProperties: false,
      properties: {
        element: { type: "string", description: "The element in words, for the question of permission" },
        ref: { ...text, description: "Reference from the snapshot of the page" },
        doubleClick: { type: "boolean", description: "Whether to click twice" },
        button: { type: "string", enum: ["left", "right", "middle"], description: "Mouse button" },
        modifiers: {
          type: "array",
          description: "Keys that are held",
          items: { type: "string", enum: ["Alt", "Control", "ControlOrMeta", "Meta", "Shift"] },
        },
      },
    },
  },
];
