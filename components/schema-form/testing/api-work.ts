import type { RealTool } from "./real-tool";

const note = (type: string, description: string) => ({ type, description });
const flag = (description: string) => ({ type: "boolean", description });

/** Ten operations of OpenAPI documents for code, issues and deployment. */
export const workOperations: readonly RealTool[] = [
  {
    name: "GitHub issues/create",
    source: "https://docs.github.com/en/rest/issues/issues#create-an-issue",
    schema: {
      type: "object",
      required: ["title"],
      properties: {
        title: { oneOf: [{ type: "string" }, { type: "integer" }], description: "Title of the issue" },
        body: note("string", "Text of the issue"),
        assignee: { type: ["string", "null"], description: "Login of the person who takes it" },
        milestone: {
          oneOf: [{ type: "string" }, note("integer", "Number of the milestone")],
          description: "Milestone of the issue",
        },
        labels: {
          type: "array",
          description: "Labels of the issue",
          items: {
            oneOf: [
              { type: "string" },
              {
                type: "object",
                properties: {
                  id: { type: "integer" },
                  name: { type: "string" },
                  description: { type: ["string", "null"] },
                  color: { type: ["string", "null"] },
                },
              },
            ],
          },
        },
        assignees: { type: "array", items: { type: "string" }, description: "Logins of the people who take it" },
      },
    },
  },
  {
    name: "GitHub repos/create-or-update-file-contents",
    source: "https://docs.github.com/en/rest/repos/contents#create-or-update-file-contents",
    schema: {
      type: "object",
      required: ["message", "content"],
      properties: {
        message: note("string", "Message of the commit"),
        content: note("string", "New text of the file, as Base64"),
        sha: note("string", "Blob that is replaced; needed for an update"),
        branch: note("string", "Branch, by default the repository's"),
        committer: {
          ...note("object", "Who commits, by default the caller"),
          required: ["name", "email"],
          properties: {
            name: { type: "string" },
            email: { type: "string", format: "email" },
            date: { type: "string", format: "date-time" },
          },
        },
      },
    },
  },
  {
    name: "GitHub repos/update-branch-protection",
    source: "https://docs.github.com/en/rest/branches/branch-protection#update-branch-protection",
    schema: {
      type: "object",
      required: ["required_status_checks", "enforce_admins", "required_pull_request_reviews", "restrictions"],
      properties: {
        required_status_checks: {
          ...{ type: ["object", "null"], description: "Checks that must pass; null turns this off" },
          required: ["strict", "contexts"],
          properties: {
            strict: flag("Branches must be up to date before they are merged"),
            contexts: { type: "array", items: { type: "string" }, description: "Names of the checks" },
            checks: {
              ...{ type: "array", description: "Checks with the app that reports them" },
              items: {
                type: "object",
                required: ["context"],
                properties: { context: note("string", "Name of the check"), app_id: note("integer", "Id of the app") },
              },
            },
          },
        },
        enforce_admins: { type: ["boolean", "null"], description: "Also for administrators" },
        required_pull_request_reviews: {
          ...{ type: ["object", "null"], description: "Reviews that a pull request needs; null turns this off" },
          properties: {
            dismiss_stale_reviews: flag("New commits dismiss approvals"),
            required_approving_review_count: { type: "integer", minimum: 0, maximum: 6 },
          },
        },
        restrictions: {
          ...{ type: ["object", "null"], description: "Who may push; null means everyone who may write" },
          required: ["users", "teams"],
          properties: {
            users: { type: "array", items: { type: "string" } },
            teams: { type: "array", items: { type: "string" } },
          },
        },
        allow_force_pushes: { type: ["boolean", "null"], description: "Whether history may be rewritten" },
      },
    },
  },
  {
    name: "GitLab postApiV4ProjectsIdMergeRequests",
    source: "https://docs.gitlab.com/api/merge_requests/#create-mr",
    schema: {
      type: "object",
      required: ["source_branch", "target_branch", "title"],
      properties: {
        source_branch: note("string", "Branch with the changes"),
        target_branch: note("string", "Branch that takes them"),
        title: note("string", "Title of the merge request"),
        description: { ...note("string", "Text, at most 1,048,576 characters"), maxLength: 1_048_576 },
        assignee_ids: { type: "array", items: { type: "integer" }, description: "People who take it" },
        labels: note("string", "Labels, separated by commas"),
        remove_source_branch: flag("Delete the branch after the merge"),
        squash: flag("Join the commits"),
      },
    },
  },
  {
    name: "Jira createIssue",
    source: "https://developer.atlassian.com/cloud/jira/platform/rest/v3/api-group-issues/#api-rest-api-3-issue-post",
    schema: {
      type: "object",
      additionalProperties: true,
      properties: {
        fields: { ...note("object", "Values of the fields by their id"), additionalProperties: {} },
        update: {
          ...note("object", "Operations on fields by their id"),
          additionalProperties: { type: "array", items: { type: "object" } },
        },
        properties: {
          ...note("array", "Properties of the issue"),
          items: { type: "object", properties: { key: { type: "string", maxLength: 255 }, value: {} } },
        },
        transition: {
          ...note("object", "Transition after the creation"),
          properties: { id: note("string", "Id of the transition") },
        },
      },
    },
  },
  {
    name: "Asana createTask",
    source: "https://developers.asana.com/reference/createtask",
    schema: {
      type: "object",
      required: ["data"],
      properties: {
        data: {
          type: "object",
          properties: {
            name: { type: "string", examples: ["Buy catnip"] },
            resource_subtype: { type: "string", enum: ["default_task", "milestone", "approval"] },
            due_on: { type: ["string", "null"], format: "date", description: "Day it is due" },
            due_at: { type: ["string", "null"], format: "date-time", description: "Moment it is due" },
            completed: flag("Whether it is done"),
            followers: { type: "array", items: { type: "string" }, description: "People who follow it" },
            custom_fields: { ...note("object", "Values by field id"), additionalProperties: { type: "string" } },
            workspace: note("string", "Id of the workspace"),
          },
        },
      },
    },
  },
  {
    name: "DigitalOcean droplets_create",
    source: "https://docs.digitalocean.com/reference/api/digitalocean/#tag/Droplets/operation/droplets_create",
    schema: {
      type: "object",
      allOf: [
        { type: "object", required: ["name"], properties: { name: { type: "string", maxLength: 255 } } },
        {
          type: "object",
          required: ["size", "image"],
          properties: {
            region: note("string", "Region; any one when left out"),
            size: { type: "string", examples: ["s-1vcpu-1gb"] },
            image: { anyOf: [note("string", "Name of a public image"), note("integer", "Id of an image")] },
            ssh_keys: {
              ...{ type: "array", default: [], description: "Keys for root, as ids or fingerprints" },
              items: { anyOf: [{ type: "string" }, { type: "integer" }] },
            },
            backups: { ...flag("Whether to back up"), default: false },
            tags: { type: ["array", "null"], items: { type: "string" }, description: "Tags of the droplet" },
            user_data: { type: "string", description: "Script for the first start, at most 64 KiB" },
          },
        },
      ],
    },
  },
  {
    name: "Vercel createProjectEnv",
    source: "https://vercel.com/docs/rest-api/reference/endpoints/projects/create-one-or-more-environment-variables",
    schema: {
      type: "object",
      required: ["key", "value", "type", "target"],
      properties: {
        key: note("string", "Name of the variable"),
        value: note("string", "Value of the variable"),
        type: { type: "string", enum: ["system", "secret", "encrypted", "plain", "sensitive"] },
        target: {
          ...{ type: "array", description: "Environments that get it" },
          items: { enum: ["production", "preview", "development"] },
        },
        gitBranch: { type: "string", nullable: true, maxLength: 250, description: "Only this branch" },
        comment: { type: "string", maxLength: 500 },
      },
    },
  },
  {
    name: "PagerDuty createIncident",
    source: "https://developer.pagerduty.com/api-reference/a7d81b0e9200f-create-an-incident",
    schema: {
      type: "object",
      required: ["incident"],
      properties: {
        incident: {
          ...note("object", "Details of the incident"),
          required: ["type", "title", "service"],
          properties: {
            type: { type: "string", enum: ["incident"] },
            title: note("string", "What happened, in a few words"),
            service: {
              type: "object",
              required: ["id", "type"],
              properties: { id: { type: "string" }, type: { type: "string", enum: ["service_reference"] } },
            },
            urgency: { type: "string", enum: ["high", "low"], description: "How urgent it is" },
            body: {
              type: "object",
              required: ["type"],
              properties: {
                type: { type: "string", enum: ["incident_body"] },
                details: note("string", "More about the incident"),
              },
            },
          },
        },
      },
    },
  },
  {
    name: "Datadog CreateMonitor",
    source: "https://docs.datadoghq.com/api/latest/monitors/#create-a-monitor",
    schema: {
      type: "object",
      required: ["query", "type"],
      properties: {
        name: note("string", "Name of the monitor"),
        query: note("string", "Query of the monitor"),
        type: { type: "string", enum: ["composite", "event alert", "log alert", "metric alert", "query alert"] },
        message: note("string", "Text of the notification"),
        priority: { type: "integer", minimum: 1, maximum: 5, nullable: true, description: "From 1 (high) to 5 (low)" },
        tags: { type: "array", items: { type: "string", description: "One tag" }, description: "Tags of the monitor" },
        options: {
          ...note("object", "How the monitor works"),
          properties: {
            thresholds: {
              ...note("object", "Values that alert"),
              properties: { critical: { type: "number" }, warning: { type: ["number", "null"] } },
            },
            notify_no_data: { ...flag("Alert when no data arrives"), default: false },
            no_data_timeframe: { type: "integer", description: "Minutes without data" },
          },
        },
      },
    },
  },
];
