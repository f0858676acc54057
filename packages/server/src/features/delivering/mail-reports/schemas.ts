import { Type } from "typebox";
import { Id, Nullable, OneOf, Timestamp } from "../../../platform/http/schemas.ts";
import { recipientStatuses } from "./recipients.ts";
import { frequencies } from "./store.ts";

export const ReportParams = Type.Object({ id: Id() });

const frequency = () =>
	OneOf(frequencies, { description: "At 7:00 of the site's clock, on Mondays or on the first of the month" });
const recipients = () =>
	Type.Array(Type.String({ format: "email" }), {
		minItems: 1,
		maxItems: 20,
		description:
			"Whoever has unsubscribed stays so. People who are not users of the site are asked by mail and get nothing until they agree",
	});

export const CreateReportBody = Type.Object({
	frequency: frequency(),
	recipients: recipients(),
	is_active: Type.Boolean({ default: true }),
});
export const ChangeReportBody = Type.Object({
	frequency: Type.Optional(frequency()),
	recipients: Type.Optional(recipients()),
	is_active: Type.Optional(Type.Boolean()),
});

export const MailReport = Type.Object({
	id: Type.Integer(),
	account_id: Type.String(),
	frequency: OneOf(frequencies),
	recipients: Type.Array(
		Type.Object({
			email: Type.String(),
			status: OneOf(recipientStatuses, {
				description:
					"Only `active` ones get mails. `unconfirmed`: has been asked and may yet agree. `no_access`: cannot open the site, and did not agree in time",
			}),
		}),
	),
	is_active: Type.Boolean(),
	last_sent_at: Nullable(Timestamp()),
	created_by: Nullable(Type.Integer()),
	created_at: Timestamp(),
	updated_at: Timestamp(),
});
export const MailReportList = Type.Object({ reports: Type.Array(MailReport), total: Type.Integer() });
export const SentTest = Type.Object({ sent_to: Type.String({ description: "The caller's own address" }) });
