"use client";

import { useQuery } from "@tanstack/react-query";
import type { Me } from "@/lib/auth/schema";
import { meQuery } from "@/lib/client/me";

/** The signed-in person, counts and server state; undefined until the first answer. */
export function useMe(): Me | undefined {
  return useQuery(meQuery).data;
}
