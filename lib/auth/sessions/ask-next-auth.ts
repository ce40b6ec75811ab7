import { NextRequest } from "next/server";
import NextAuth, { type AuthOptions } from "next-auth";
import { type CollectedError, collectErrors } from "@/lib/auth/providers/collect-errors";
import { AppError } from "@/lib/core/errors";

type Question = {
  request: Request;
  path: string[];
  /** The parameters of the address that reach next-auth; it takes over whatever it is given. */
  query: Record<string, string>;
  fields: Record<string, string>;
  options: AuthOptions;
};

/** next-auth’s answer to one request, and what it told its logger. `malformed` for a cookie that no browser got from here. */
export async function askNextAuth(question: Question): Promise<{ response: Response; errors: CollectedError[] }> {
  const { request, path, query, fields, options } = question;
  const url = new URL(request.url);
  url.search = new URLSearchParams(query).toString();
  const { result: response, errors } = await collectErrors<Response>(() =>
    NextAuth(rebuild(url, request, fields), { params: { nextauth: path } }, options),
  );
  if (errors.some(({ code }) => code === "INVALID_CALLBACK_URL_ERROR")) {
    throw new AppError("malformed", "The cookie that names the page to return to is not one of this server.");
  }
  return { response, errors };
}

/** The request again, with the body that was read. */
function rebuild(url: URL, request: Request, fields: Record<string, string>): NextRequest {
  const headers = new Headers(request.headers);
  if (request.method !== "POST") return new NextRequest(url, { headers });
  headers.delete("content-length");
  headers.set("content-type", "application/x-www-form-urlencoded");
  return new NextRequest(url, { method: "POST", headers, body: new URLSearchParams(fields).toString() });
}
