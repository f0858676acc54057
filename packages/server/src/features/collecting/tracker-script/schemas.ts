import { Type } from "typebox";
import { ErrorRef } from "../../../platform/http/schemas.ts";
import { AUTOMATIC_EVENTS } from "./fill-in.ts";

const anEvent = `(${AUTOMATIC_EVENTS.join("|")})`;

/** Query of `/t.js`. */
export const ScriptQuery = Type.Object({
	id: Type.String({ minLength: 3, maxLength: 64, description: "Site id" }),
	group: Type.Optional(
		Type.String({ pattern: "^[a-zA-Z0-9_-]{0,64}$", description: "Content group of pages that name none" }),
	),
	auto: Type.Optional(Type.String({ description: "`0`: no first page view" })),
	spa: Type.Optional(Type.String({ description: "`0`: no page views of single-page routes" })),
	events: Type.Optional(
		Type.String({
			pattern: `^${anEvent}(,${anEvent})*$`,
			maxLength: 64,
			description: `Automatic events, separated by commas: ${AUTOMATIC_EVENTS.join(", ")}`,
		}),
	),
});

/** Answers of `/t.js`. */
export const scriptAnswers = {
	200: {
		description: "The tracker with site id and token filled in",
		// The body goes out as it is: a text, or its compressed bytes.
		content: { "application/javascript": { schema: Type.Unsafe<string | Uint8Array | undefined>(Type.String()) } },
	},
	304: Type.Unsafe<undefined>({ description: "Not changed" }),
	400: { description: "`bad_request`", ...ErrorRef },
	404: { description: "`account_not_found`", ...ErrorRef },
};
