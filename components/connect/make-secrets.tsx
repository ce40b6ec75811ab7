"use client";

import Link from "next/link";
import { useState } from "react";
import { SecretOnce } from "@/components/settings/secret-once";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Section } from "@/components/ui/section";
import type { Connection } from "@/lib/client/connect";
import type { MadeSecrets } from "./client-steps";
import { MakeAddressForm } from "./make-address-form";
import { MakeTokenForm } from "./make-token-form";

type MakeSecretsProps = {
  connection: Connection;
  made: MadeSecrets;
  onAddress: (address: string) => void;
  onToken: (token: string) => void;
};

/** Offers what clients need to see more than the public skills. It stands on this page until it is left, and nowhere else. */
export function MakeSecrets({ connection, made, onAddress, onToken }: MakeSecretsProps) {
  const [making, setMaking] = useState<"address" | "token" | null>(null);
  const close = () => setMaking(null);
  return (
    <>
      <Section
        title="Capability URL"
        description="For clients that cannot sign in: whoever has it reads what you see, and changes nothing."
      >
        {made.address === null ? (
          <div>
            <Button onClick={() => setMaking("address")}>Make capability URL</Button>
          </div>
        ) : (
          <SecretOnce
            secret={made.address}
            label="Capability URL"
            warning="It stands in the commands now, and is gone when you leave this page."
          />
        )}
      </Section>
      <Section
        title="Token"
        description="For clients that send one: they act as you, with the rights you give. Kept under Settings."
      >
        {made.token === null ? (
          <div>
            <Button onClick={() => setMaking("token")}>Make token</Button>
          </div>
        ) : (
          <SecretOnce
            secret={made.token}
            label="Token"
            warning="It stands in the commands now, and is gone when you leave this page."
          />
        )}
        <p className="text-13">
          <Link href="/settings/tokens" className="text-primary underline underline-offset-2">
            Tokens and capability URLs you have
          </Link>
        </p>
      </Section>
      <Dialog open={making !== null} onOpenChange={(open) => !open && close()}>
        {making === "address" ? (
          <MakeAddressForm
            scope={connection.scope}
            onMade={(address) => {
              onAddress(address);
              close();
            }}
          />
        ) : null}
        {making === "token" ? (
          <MakeTokenForm
            onMade={(token) => {
              onToken(token);
              close();
            }}
          />
        ) : null}
      </Dialog>
    </>
  );
}
