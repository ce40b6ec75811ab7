import type { RealTool } from "./real-tool";

const repository = {
  owner: { type: "string", description: "Owner of the repository" },
  repo: { type: "string", description: "Name of the repository" },
};

/** Ten tools of MCP servers in front of a service. */
export const serviceTools: readonly RealTool[] = [
  {
    name: "github issue_write",
    source: "https://github.com/github/github-mcp-server#tools",
    schema: {
      type: "object",
      required: ["method", "owner", "repo"],
      properties: {
        method: { type: "string", enum: ["create", "update"], description: "What to do" },
        ...repository,
        issue_number: { type: "number", description: "Number of the issue to update" },
        title: { type: "string", description: "Title of the issue" },
        body: { type: "string", description: "Text of the issue" },
        assignees: { type: "array", items: { type: "string" }, description: "People who take the issue" },
        labels: { type: "array", items: { type: "string" }, description: "Labels of the issue" },
        milestone: { type: "number", description: "Number of the milestone" },
        state: { type: "string", enum: ["open", "closed"], description: "New state" },
        state_reason: { type: "string", enum: ["completed", "not_planned", "duplicate"] },
        duplicate_of: { type: "number", description: "The issue that this one repeats" },
      },
    },
  },
  {
    name: "github list_issues",
    source: "https://github.com/github/github-mcp-server#tools",
    schema: {
      type: "object",
      required: ["owner", "repo"],
      properties: {
        ...repository,
        state: { type: "string", enum: ["OPEN", "CLOSED"], description: "Both when left out" },
        labels: { type: "array", items: { type: "string" }, description: "Only issues with these labels" },
        orderBy: { type: "string", enum: ["CREATED_AT", "UPDATED_AT", "COMMENTS"], description: "Field of the order" },
        direction: { type: "string", enum: ["ASC", "DESC"], description: "Direction of the order" },
        since: { type: "string", description: "Only issues changed after this time (ISO 8601)" },
        perPage: { type: "number", minimum: 1, maximum: 100, description: "Results on a page" },
        after: { type: "string", description: "Cursor of the next page" },
      },
    },
  },
  {
    name: "github push_files",
    source: "https://github.com/github/github-mcp-server#tools",
    schema: {
      type: "object",
      required: ["owner", "repo", "branch", "files", "message"],
      properties: {
        ...repository,
        branch: { type: "string", description: "Branch to write to" },
        message: { type: "string", description: "Message of the commit" },
        files: {
          type: "array",
          description: "Files to write",
          items: {
            type: "object",
            required: ["path", "content"],
            properties: {
              path: { type: "string", description: "Path in the repository" },
              content: { type: "string", description: "Text of the file" },
            },
          },
        },
      },
    },
  },
  {
    name: "mongodb find",
    source: "https://github.com/mongodb-js/mongodb-mcp-server/blob/main/src/tools/mongodb/read/find.ts",
    schema: {
      type: "object",
      required: ["database", "collection"],
      properties: {
        database: { type: "string", description: "Name of the database" },
        collection: { type: "string", description: "Name of the collection" },
        filter: { type: "object", properties: {}, additionalProperties: true, description: "Conditions of the query" },
        projection: { type: "object", properties: {}, additionalProperties: true, description: "Fields to return" },
        limit: { type: "number", default: 10, description: "At most this many documents" },
        sort: {
          type: "object",
          properties: {},
          additionalProperties: {},
          description: "1 up, -1 down, for each field",
        },
      },
    },
  },
  {
    name: "grafana query_prometheus",
    source: "https://github.com/grafana/mcp-grafana/blob/main/tools/prometheus.go",
    schema: {
      type: "object",
      required: ["datasourceUid", "expr"],
      properties: {
        datasourceUid: { type: "string", description: "Id of the data source" },
        expr: { type: "string", description: "PromQL expression" },
        startRfc3339: { type: "string", description: "Start, as RFC 3339" },
        endRfc3339: { type: "string", description: "End, as RFC 3339" },
        stepSeconds: { type: "integer", description: "Seconds between two points" },
        queryType: { type: "string", description: "range or instant" },
      },
    },
  },
  {
    name: "atlassian jira_get_field_options",
    source: "https://github.com/sooperset/mcp-atlassian/blob/main/src/mcp_atlassian/servers/jira.py",
    schema: {
      type: "object",
      required: ["field_id"],
      properties: {
        field_id: { type: "string", description: "Id of the field, such as customfield_10001" },
        context_id: { anyOf: [{ type: "string" }, { type: "null" }], default: null, description: "Id of the context" },
        return_limit: {
          ...{ anyOf: [{ type: "integer", minimum: 1 }, { type: "null" }], default: null },
          description: "At most this many options",
        },
        values_only: { type: "boolean", default: false, description: "Return only the values" },
      },
    },
  },
  {
    name: "atlassian jira_create_issue",
    source: "https://github.com/sooperset/mcp-atlassian/blob/main/src/mcp_atlassian/servers/jira.py",
    schema: {
      type: "object",
      required: ["project_key", "summary", "issue_type"],
      properties: {
        project_key: { type: "string", pattern: "^[A-Z][A-Z0-9_]+$", description: "Key of the project, such as PROJ" },
        summary: { type: "string", description: "Title of the issue" },
        issue_type: { type: "string", description: "Task, Bug, Story or another type of the project" },
        assignee: { anyOf: [{ type: "string" }, { type: "null" }], default: null, description: "Who takes it" },
        description: { anyOf: [{ type: "string" }, { type: "null" }], default: null, description: "Text of the issue" },
        additional_fields: {
          ...{ anyOf: [{ type: "object", additionalProperties: true }, { type: "string" }, { type: "null" }] },
          ...{ default: null, description: "Other fields, as an object or as JSON text" },
        },
      },
    },
  },
  {
    name: "brave web_search",
    source: "https://github.com/brave/brave-search-mcp-server#tools",
    schema: {
      type: "object",
      required: ["query"],
      properties: {
        query: { type: "string", maxLength: 400, description: "Words to search for, at most 400 characters" },
        country: { type: "string", enum: ["ALL", "AT", "CH", "DE", "FR", "GB", "IT", "US"], default: "US" },
        count: { type: "integer", minimum: 1, maximum: 20, default: 10, description: "Results on a page" },
        offset: { type: "integer", minimum: 0, maximum: 9, default: 0, description: "Number of the page" },
        safesearch: { type: "string", enum: ["off", "moderate", "strict"], default: "moderate" },
        result_filter: {
          type: "array",
          items: { type: "string", enum: ["discussions", "faq", "infobox", "news", "query", "videos", "web"] },
          default: ["web", "query"],
          description: "Kinds of results",
        },
        goggles: { type: "array", items: { type: "string" }, description: "Rules that change the ranking" },
      },
    },
  },
  {
    name: "elasticsearch search",
    source: "https://github.com/elastic/mcp-server-elasticsearch#available-tools",
    schema: {
      type: "object",
      required: ["index", "query_body"],
      properties: {
        index: { type: "string", description: "Name of the index" },
        query_body: { type: "object", additionalProperties: true, description: "Query as Elasticsearch takes it" },
        fields: { type: ["array", "null"], items: { type: "string" }, description: "Fields to return" },
      },
    },
  },
  {
    name: "kubernetes pods_exec",
    source: "https://github.com/containers/kubernetes-mcp-server#tools-and-functionalities",
    schema: {
      type: "object",
      required: ["name", "command"],
      properties: {
        namespace: { type: "string", description: "Namespace of the pod" },
        name: { type: "string", description: "Name of the pod" },
        command: {
          ...{ type: "array", items: { type: "string" }, minItems: 1 },
          description: "Command and its arguments, one on each line",
        },
        container: { type: "string", description: "Name of the container" },
      },
    },
  },
];
