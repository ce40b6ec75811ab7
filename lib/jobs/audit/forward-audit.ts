import { fileSink } from "@/lib/audit/forward/file-sink";
import { describeForwarding, forwardEvents } from "@/lib/audit/forward/forward-events";
import type { Sink } from "@/lib/audit/forward/sink";
import { syslogSink } from "@/lib/audit/forward/syslog-sink";
import { webhookSink } from "@/lib/audit/forward/webhook-sink";
import { processStore } from "@/lib/core/process-store";
import type { Ctx } from "@/lib/db/context";
import { unsealCredential } from "@/lib/settings/credentials/seal-credential";
import { getSettings } from "@/lib/settings/get-settings";

function stopping(): AbortController {
  return processStore("audit-forwarding", () => new AbortController());
}

/** Forwards what is new to the sinks that the settings name; a sentence when one is behind or fails. */
export async function forwardAudit(ctx: Ctx): Promise<string | null> {
  const sinks = await sinksOf(ctx);
  return sinks.length === 0 ? null : describeForwarding(await forwardEvents(ctx, sinks, stopping().signal));
}

export async function stopForwarding(): Promise<void> {
  stopping().abort();
}

async function sinksOf(ctx: Ctx): Promise<Sink[]> {
  const { auditForwardFile: file, auditForwardSyslog: syslog, ...settings } = await getSettings(ctx);
  const { auditForwardWebhook: url, auditForwardCredential: name } = settings;
  const secret = name === "" || url === "" ? null : await secretOf(ctx, name);
  return [
    ...(file === "" ? [] : [fileSink(ctx.database.keyFolder, file)]),
    ...(syslog === "" ? [] : [syslogSink(syslog)]),
    ...(url === "" ? [] : [webhookSink({ url, secret }, ctx.now)]),
  ];
}

/** Rather nothing than what nobody signed: a receiver that checks signatures would not take it. */
async function secretOf(ctx: Ctx, name: string): Promise<string> {
  const row = await ctx.db.credential.findUnique({ where: { name } });
  const secret = row === null ? null : await unsealCredential(ctx, row);
  if (secret === null) throw new Error(`The credential ${name}, which signs the audit’s webhook, is not stored.`);
  return secret;
}
