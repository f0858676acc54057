import { Type } from "typebox";
import { Name } from "../../../platform/http/schemas.ts";
import { Password } from "../../people/users/index.ts";

export const KeyHeader = Type.Object({
	"x-provision-key": Type.Optional(
		Type.String({ description: "Identifies the channel that creates the site; may be public" }),
	),
});

export const ProvisionBody = Type.Object({
	site_name: Type.String({ minLength: 1, maxLength: 255 }),
	email: Type.String({ format: "email" }),
	accept_terms: Type.Literal(true),
	domain: Type.Optional(Type.String({ maxLength: 255, description: "Host that may send hits, with its subdomains" })),
	name: Type.Optional(Type.String({ minLength: 1, maxLength: 255 })),
	install_source: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
	timezone: Type.Optional(Type.String({ maxLength: 64, description: "IANA zone; UTC when omitted" })),
});

export const ProvisionedSite = Type.Object({
	success: Type.Literal(true),
	account_id: Type.String(),
	snippet: Type.String(),
	api_key: Type.String({ description: "Reads reports and settings; shown only in this response, and mailed" }),
	dashboard_url: Type.String(),
	claim_url: Type.String({ description: "Sends the claim mail again; only the mail has the claim link" }),
	free_quota: Type.Object({ events_total: Type.Integer() }),
	next_steps: Type.Array(Type.String()),
});

const token = Type.String({ minLength: 20, maxLength: 128, pattern: "^[A-Za-z0-9_-]+$" });

export const ClaimBody = Type.Object({
	token,
	password: Password(),
	name: Type.Optional(Name()),
});

export const Claimed = { message: Type.String(), verified: Type.Literal(true) };

export const ResendBody = Type.Object({ token });
