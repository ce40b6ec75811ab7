import { expect, it } from "vitest";
import { escapeHtml } from "./build-preamble";

it("escapes text for tags and quotes", () => {
  expect(escapeHtml(`Use <b> & "c" or 'd'`)).toBe("Use &lt;b&gt; &amp; &quot;c&quot; or &#x27;d&#x27;");
});
