import { type Answer, call } from "../../api/client.ts";
import { forEditing, read } from "../../api/read.ts";
import { atField } from "../../lib/failure.ts";
import { useRecords } from "../../ui/form/use-records.ts";
import { t } from "./texts.ts";

/** A domain that visitors come back from. */
export type PaymentPage = Answer<"GET /passthrough-referrers">["referrers"][number];
type Fields = Pick<
	PaymentPage,
	"domain" | "utm_source" | "utm_medium" | "utm_campaign" | "utm_term" | "service_name"
> & {
	readonly is_active?: boolean;
};

/** All payment pages of a site, paused ones too. */
export const paymentPagesQuery = (site: string) =>
	read("GET /passthrough-referrers", { query: { account_id: site, include_inactive: true } });

/** One of them as it is now, for changing it. */
export const paymentPageQuery = (site: string, id: number) => ({
	...read("GET /passthrough-referrers/{referrer_id}", { path: { referrer_id: id }, query: { account_id: site } }),
	...forEditing,
});

const taken = atField({ duplicate_entry: ["domain", t.payments.taken] });

/** Changes of the list. */
export function usePaymentPages(site: string) {
	const query = { account_id: site };
	return useRecords<PaymentPage, Fields>({
		stale: ["GET /passthrough-referrers"],
		create: (body) => call("POST /passthrough-referrers", { query, body }).catch(taken),
		write: ({ id }, body) =>
			call("PATCH /passthrough-referrers/{referrer_id}", { path: { referrer_id: id }, query, body }).catch(taken),
		drop: ({ id }) => call("DELETE /passthrough-referrers/{referrer_id}", { path: { referrer_id: id }, query }),
		fieldsOf: (row) => row,
		added: ({ domain: name }) => t.payments.added(name),
		changed: ({ domain: name }) => t.payments.changed(name),
		removed: ({ domain: name }) => t.payments.removed(name),
	});
}
