import type { Role } from "@/lib/core/actor";

type Person = { name: string; email: string; role: Role };

/** Everybody in the seeded world. They share one password; Jonas has not set one yet, and Lena has left. */
export const PEOPLE = {
  tomas: { name: "Tomás Ferreira", email: "tomas@example.test", role: "admin" },
  mara: { name: "Mara Lindqvist", email: "mara@example.test", role: "reviewer" },
  ben: { name: "Ben Okafor", email: "ben@example.test", role: "reviewer" },
  aiko: { name: "Aiko Tanaka", email: "aiko@example.test", role: "user" },
  priya: { name: "Priya Nair", email: "priya@example.test", role: "user" },
  lena: { name: "Lena Novak", email: "lena@example.test", role: "user" },
  jonas: { name: "Jonas Weber", email: "jonas@example.test", role: "user" },
} as const satisfies Record<string, Person>;

export type PersonKey = keyof typeof PEOPLE;

export const DEFAULT_PASSWORD = "quiet-harbour-lantern";
