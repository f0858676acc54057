import { Type } from "typebox";
import { account } from "../../../access/index.ts";
import { Id, Text, Timestamp } from "../../../platform/http/schemas.ts";

export const ListQuery = Type.Object({ ...account, include_inactive: Type.Boolean({ default: false }) });
export const ReferrerParams = Type.Object({ referrer_id: Id() });

const domain = () =>
	Text(1, 255, { description: "Stands for its subdomains too; scheme, path, port and a leading www. are stripped" });
const source = () => Text(1, 255, { description: "Of a visit that arrives without a running session" });

export const CreateReferrerBody = Type.Object({
	domain: domain(),
	utm_source: source(),
	utm_medium: Text(0, 100, { default: "passthrough" }),
	utm_campaign: Text(0, 255, { default: "" }),
	utm_term: Text(0, 255, { default: "" }),
	service_name: Text(0, 100, { default: "" }),
	is_active: Type.Boolean({ default: true }),
});

export const ChangeReferrerBody = Type.Object({
	domain: Type.Optional(domain()),
	utm_source: Type.Optional(source()),
	utm_medium: Type.Optional(Text(0, 100)),
	utm_campaign: Type.Optional(Text(0, 255)),
	utm_term: Type.Optional(Text(0, 255)),
	service_name: Type.Optional(Text(0, 100)),
	is_active: Type.Optional(Type.Boolean()),
});

export const Referrer = Type.Object({
	id: Type.Integer(),
	account_id: Type.String(),
	domain: Type.String(),
	utm_source: Type.String(),
	utm_medium: Type.String(),
	utm_campaign: Type.String(),
	utm_term: Type.String(),
	service_name: Type.String(),
	is_active: Type.Boolean(),
	created_at: Timestamp(),
	updated_at: Timestamp(),
});
export const ReferrerList = Type.Object({
	referrers: Type.Array(Referrer),
	total: Type.Integer({ description: "Of the referrers listed" }),
	active_count: Type.Integer(),
});
