import { observeRequest } from "../observe/observe-request";
import { type AnswerEndpoint, endpointAnswerer, type Routes } from "./answer-endpoint";
import { type Addresses, addressTable, type FindAddress } from "./find-address";

/** What the listener (bin/web.mjs) asks about each request. */
type Router = { find: FindAddress; observe: typeof observeRequest; answer: AnswerEndpoint };

declare global {
  var __skillgateRouter: Router | undefined;
}

/** The one table of addresses. Without `routes` it knows what they are called, and leaves answering to the framework. */
export function openRouter(addresses: Addresses, routes: Routes | null): Router {
  const answer = routes === null ? () => false : endpointAnswerer(routes);
  return { find: addressTable(addresses), observe: observeRequest, answer };
}
