import { parseArgs } from "node:util";
import { CommandEnd, commandEnv, messageOf, runCommand } from "@/lib/core/command-line";
import { revokeAttestationKey, rotateAttestationKey } from "./attestation-keys";

const USAGE = `usage: npm run rotate-attestation-key -- [--overlap DAYS] [--data DIR]
       npm run rotate-attestation-key -- --revoke KEY_ID [--data DIR]`;

const OVERLAP_DAYS = 30;

await runCommand(USAGE, async () => {
  const { values } = parseArgs({
    options: { overlap: { type: "string" }, revoke: { type: "string" }, data: { type: "string" } },
  });
  const overlapDays = Number(values.overlap ?? OVERLAP_DAYS);
  if (!(overlapDays >= 0 && overlapDays <= 3650) || (values.revoke !== undefined && values.overlap !== undefined))
    throw new CommandEnd(USAGE, 2);
  const { keyDir } = commandEnv(values.data, { dotEnv: true });
  const at = new Date();
  try {
    const keyId = await (values.revoke === undefined
      ? rotateAttestationKey(keyDir, { at, overlapDays })
      : revokeAttestationKey(keyDir, { at, keyId: values.revoke }));
    const former =
      values.revoke === undefined
        ? `The former key signs beside it for ${overlapDays} days.`
        : `Nothing signed with ${values.revoke} counts any more; the server signs those approvals again when they are read.`;
    console.log(`New approvals are signed with the key ${keyId}. ${former}`);
    return 0;
  } catch (error) {
    throw new CommandEnd(messageOf(error), 1);
  }
});
