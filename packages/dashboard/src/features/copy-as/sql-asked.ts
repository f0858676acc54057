import { addressOf, type Route } from "../../api/client.ts";
import { send } from "../../api/session.ts";
import { failureOf } from "../../lib/failure.ts";
import { requestOf } from "./requests.ts";

/**
 * The statement by which the service answers a question; values stand in it by their names.
 * @throws {Failure} with the API's code.
 */
export async function sqlAsked(route: Route, params: object): Promise<string> {
	const { address, body } = requestOf(route, { ...params, explain: true }, addressOf);
	const response = await send(
		address,
		body === undefined ? {} : { method: "POST", body, headers: { "Content-Type": "application/json" } },
	);
	if (!response.ok) throw await failureOf(response);
	const { meta } = (await response.json()) as { readonly meta?: { readonly sql?: string } };
	return meta?.sql ?? "";
}
