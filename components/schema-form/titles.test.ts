import { describe, expect, it } from "vitest";
import { choiceLabels, titleOfKey } from "./titles";

describe("titleOfKey", () => {
  it.each([
    ["repo_path", "Repo path"],
    ["photoUrls", "Photo URLs"],
    ["datasourceUid", "Datasource UID"],
    ["HTTPMethod", "HTTP method"],
    ["in-reply-to", "In reply to"],
    ["timeout_ms", "Timeout (ms)"],
    ["stepSeconds", "Step (seconds)"],
    ["minutes", "Minutes"],
    ["To", "To"],
    ["Start of the range", "Start of the range"],
    ["", ""],
  ])("reads %j as %j", (key, title) => {
    expect(titleOfKey(key)).toBe(title);
  });
});

describe("choiceLabels", () => {
  it.each([
    [
      ["not_planned", "CREATED_AT", "event alert", "COMMENTS"],
      ["Not planned", "Created at", "Event alert", "Comments"],
    ],
    [
      ["GET", "HEAD"],
      ["GET", "HEAD"],
    ],
    [
      ["US", "utf-8", "gpt-4.1", "MarkdownV2", 5],
      ["US", "utf-8", "gpt-4.1", "MarkdownV2", "5"],
    ],
    [
      ["not_planned", "not planned"],
      ["not_planned", "not planned"],
    ],
  ])("labels %j", (values, labels) => {
    expect(choiceLabels(values)).toEqual(labels);
  });
});
