"use client";

import { useEffect, useState } from "react";
import { errorText } from "@/components/state/describe-error";
import { Button } from "@/components/ui/button";
import type { ProviderChoice } from "@/lib/auth/providers/schema";
import { goTo } from "./go-to";
import { beginProviderSignIn } from "./session";
import { signInErrorText } from "./sign-in-error";

type ProviderButtonsProps = {
  providers: ProviderChoice[];
  next: string;
  onFailure: (sentence: string | null) => void;
};

export function ProviderButtons({ providers, next, onFailure }: ProviderButtonsProps) {
  const [pending, setPending] = useState<string | null>(null);

  // When the browser goes back, it may restore the page with a pending button.
  useEffect(() => {
    const onShow = ({ persisted }: PageTransitionEvent) => persisted && setPending(null);
    window.addEventListener("pageshow", onShow);
    return () => window.removeEventListener("pageshow", onShow);
  }, []);

  const leave = async ({ id, name }: ProviderChoice) => {
    setPending(id);
    onFailure(null);
    try {
      const outcome = await beginProviderSignIn(id, { callbackUrl: next });
      if (outcome.ok) return goTo(outcome.address); // Still pending while the provider's page loads.
      onFailure(signInErrorText(outcome.code, { provider: name, retryAfterSeconds: outcome.retryAfterSeconds }));
    } catch (error) {
      onFailure(errorText(error));
    }
    setPending(null);
  };

  return (
    <ul aria-label="Sign in with" className="flex flex-col gap-2">
      {providers.map((provider) => (
        <li key={provider.id}>
          <Button
            size="lg"
            className="w-full"
            pending={pending === provider.id}
            disabled={pending !== null && pending !== provider.id}
            onClick={() => void leave(provider)}
          >
            <span className="truncate">Continue with {provider.name}</span>
          </Button>
        </li>
      ))}
    </ul>
  );
}
