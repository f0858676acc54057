import { Type } from "typebox";
import { limitAndOffset, Nullable, OneOf, Timestamp } from "../../../platform/http/schemas.ts";
import { org } from "./schemas.ts";

export const HistoryQuery = Type.Object({ ...org, ...limitAndOffset({ limit: 20, max: 100 }) });

const State = Nullable(Type.Record(Type.String(), Type.Unknown()), {
	description: "Fields of the subscription; null: there was none",
});

export const History = Type.Array(
	Type.Object({
		id: Type.Integer(),
		subscription_id: Nullable(Type.String()),
		org_id: Type.String({ format: "uuid" }),
		user_id: Nullable(Type.Integer()),
		user_email: Nullable(Type.String()),
		user_name: Nullable(Type.String()),
		action: Type.String(),
		source: OneOf(["user", "provider", "system"]),
		previous_state: State,
		new_state: State,
		success: Type.Boolean(),
		error_message: Nullable(Type.String()),
		error_code: Nullable(Type.String()),
		ip_address: Nullable(Type.String()),
		created_at: Timestamp(),
	}),
);

export const InvoicesQuery = Type.Object({
	...org,
	limit: Type.Integer({ minimum: 1, maximum: 100, default: 20 }),
	starting_after: Type.Optional(
		Type.String({ minLength: 1, maxLength: 255, pattern: "^[A-Za-z0-9_]+$", description: "Id of an invoice" }),
	),
});

export const Invoices = Type.Array(
	Type.Object({
		id: Type.String(),
		number: Nullable(Type.String()),
		status: Nullable(OneOf(["draft", "open", "paid", "uncollectible", "void"])),
		amount_due: Type.Integer({ description: "Cents of the currency" }),
		amount_paid: Type.Integer({ description: "Cents of the currency" }),
		currency: Type.String(),
		created_at: Timestamp(),
		due_date: Nullable(Timestamp()),
		paid_at: Nullable(Timestamp()),
		pdf_url: Nullable(Type.String()),
		hosted_invoice_url: Nullable(Type.String()),
	}),
);
