import { queryOptions } from "@tanstack/react-query";
import { type Answer, call } from "../../api/client.ts";
import { atField } from "../../lib/failure.ts";
import { useChange } from "../../ui/form/use-change.ts";
import { t } from "./texts.ts";

/** A domain that visitors come back from. */
export type PaymentPage = Answer<"GET /passthrough-referrers">["referrers"][number];
type Fields = Pick<PaymentPage, "domain" | "utm_source" | "utm_medium" | "utm_campaign" | "utm_term" | "service_name">;

/** All payment pages of a site, paused ones too. */
export const paymentPagesQuery = (site: string) =>
	queryOptions({
		queryKey: ["GET /passthrough-referrers", site],
		queryFn: ({ signal }) =>
			call("GET /passthrough-referrers", { query: { account_id: site, include_inactive: true }, signal }),
	});

/** One of them as it is now, for changing it. */
export const paymentPageQuery = (site: string, id: number) =>
	queryOptions({
		queryKey: ["GET /passthrough-referrers/{referrer_id}", site, id],
		queryFn: ({ signal }) =>
			call("GET /passthrough-referrers/{referrer_id}", {
				path: { referrer_id: id },
				query: { account_id: site },
				signal,
			}),
		// An edited record must be current and must not change while it is edited.
		staleTime: 0,
		gcTime: 0,
		refetchOnWindowFocus: false,
	});

const taken = atField({ duplicate_entry: ["domain", t.payments.taken] });

/** Changes of the list, each of which can be taken back. */
export function usePaymentPages(site: string) {
	const query = { account_id: site };
	const stale = ["GET /passthrough-referrers"];
	const create = (body: Fields & { readonly is_active?: boolean }) =>
		call("POST /passthrough-referrers", { query, body }).catch(taken);
	const drop = ({ id }: PaymentPage) =>
		call("DELETE /passthrough-referrers/{referrer_id}", { path: { referrer_id: id }, query });
	const write = ({ id }: PaymentPage, body: Partial<Fields> & { readonly is_active?: boolean }) =>
		call("PATCH /passthrough-referrers/{referrer_id}", { path: { referrer_id: id }, query, body }).catch(taken);
	return {
		add: useChange({ run: create, stale, done: ({ domain: name }) => t.payments.added(name), undo: drop }),
		change: useChange({
			run: ({ row, to }: { readonly row: PaymentPage; readonly to: Parameters<typeof write>[1] }) => write(row, to),
			stale,
			done: ({ domain: name }) => t.payments.changed(name),
			undo: (_, { row }) => write(row, row),
		}),
		remove: useChange({
			run: drop,
			stale,
			done: (_, { domain: name }) => t.payments.removed(name),
			undo: (_, row) => create(row),
		}),
	};
}
