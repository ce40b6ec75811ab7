import { CodeBlock } from "@/components/ui/code-block";
import { Table, TableBody, TableCell, TableHead, TableHeader, TableRow } from "@/components/ui/table";
import { errorWords } from "./error-words";
import { Words } from "./words";

/** What holds for every request. */
export function ApiBasics({ origin }: { origin: string }) {
  return (
    <>
      <section id="authentication" aria-labelledby="authentication-title" className="flex scroll-mt-20 flex-col gap-4">
        <h2 id="authentication-title">Authentication</h2>
        <div className="prose max-w-prose">
          <p>
            Programs send a token as a bearer. Make one under <a href="/settings/tokens">Settings, API tokens</a>; it is
            shown once and never does more than its person may. Agents use tokens that act under a persona, workers have
            tokens of their own that begin with <code>sgw_</code>.
          </p>
        </div>
        <CodeBlock
          code={`export SKILLGATE_TOKEN='sgt_…'\ncurl -sS -H "Authorization: Bearer $SKILLGATE_TOKEN" '${origin}/api/me'`}
          label="Who am I"
        />
        <div className="prose max-w-prose">
          <p>
            Pages use the session cookie. A write with the cookie must come from a page of this server; with a bearer it
            may come from anywhere.
          </p>
        </div>
      </section>
      <section id="conventions" aria-labelledby="conventions-title" className="flex scroll-mt-20 flex-col gap-4">
        <h2 id="conventions-title">Conventions</h2>
        <div className="prose max-w-prose">
          <ul>
            <li>JSON in and out, keys in camelCase, times in UTC as ISO 8601. Ids are opaque.</li>
            <li>
              Lists take <code>limit</code> (1 to 100) and <code>cursor</code>, and answer{" "}
              <code>{"{items, nextCursor}"}</code>. A cursor stays good while new things come in.
            </li>
            <li>
              What starts a run or imports takes an <code>Idempotency-Key</code>: the same key with the same body gets
              the first answer again.
            </li>
            <li>
              Every GET of one thing has an <code>ETag</code> and honours <code>If-None-Match</code>. Writes that can
              collide take <code>If-Match</code>.
            </li>
            <li>
              Each answer carries <code>X-Request-Id</code>. Name it when you report a fault.
            </li>
          </ul>
        </div>
      </section>
    </>
  );
}

/** The codes of refused requests; problems link here by anchor. */
export function ErrorCodes({ codes }: { codes: Readonly<Record<string, number>> }) {
  return (
    <section id="errors" aria-labelledby="errors-title" className="flex scroll-mt-20 flex-col gap-4">
      <h2 id="errors-title">Errors</h2>
      <div className="prose max-w-prose">
        <p>
          A refused request answers <code>application/problem+json</code> with <code>type</code>, <code>title</code>,{" "}
          <code>status</code>, <code>code</code>, <code>detail</code>, <code>requestId</code> and, for wrong fields,{" "}
          <code>errors</code> with a dotted <code>path</code> and a <code>message</code> each. Rely on <code>code</code>
          .
        </p>
      </div>
      <div className="overflow-hidden rounded-md border">
        <Table label="Error codes">
          <TableHead>
            <tr>
              <TableHeader>Code</TableHeader>
              <TableHeader align="right">Status</TableHeader>
              <TableHeader>Meaning</TableHeader>
            </tr>
          </TableHead>
          <TableBody>
            {Object.entries(codes).map(([code, status]) => (
              <TableRow key={code} id={code} className="scroll-mt-20 target:bg-selected">
                <TableCell className="whitespace-nowrap align-baseline font-mono text-xs">
                  <a href={`#${code}`} className="hover:underline">
                    {code}
                  </a>
                </TableCell>
                <TableCell numeric className="align-baseline">
                  {status}
                </TableCell>
                <TableCell className="align-baseline">
                  <Words text={errorWords[code] ?? ""} />
                </TableCell>
              </TableRow>
            ))}
          </TableBody>
        </Table>
      </div>
    </section>
  );
}
