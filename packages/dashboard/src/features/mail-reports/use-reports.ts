import { queryOptions } from "@tanstack/react-query";
import { type Answer, call } from "../../api/client.ts";
import { useChange } from "../../ui/form/use-change.ts";
import { t } from "./texts.ts";

/** A report that goes out by mail. */
export type Report = Answer<"GET /mail-reports">["reports"][number];
/** Editable fields of a report mail. */
export type ReportInput = Pick<Report, "frequency"> & { readonly recipients: readonly string[] };

const stale = ["GET /mail-reports"] as const;

/** The reports of a site. */
export const reportsQuery = (site: string) =>
	queryOptions({
		queryKey: ["GET /mail-reports", { site }],
		queryFn: ({ signal }) => call("GET /mail-reports", { query: { account_id: site }, signal }),
	});

const addressesOf = (report: Report): readonly string[] => report.recipients.map(({ email }) => email);

/** The changes of a site's reports. Each but the test can be taken back. */
export function useReports(site: string) {
	const query = { account_id: site };
	const post = (body: ReportInput & { readonly is_active?: boolean }) => call("POST /mail-reports", { query, body });
	const patch = (id: number, body: Partial<ReportInput> & { readonly is_active?: boolean }) =>
		call("PATCH /mail-reports/{id}", { path: { id }, query, body });
	const remove = (id: number) => call("DELETE /mail-reports/{id}", { path: { id }, query });
	return {
		create: useChange({
			run: post,
			stale,
			done: () => t.created,
			undo: ({ id }) => remove(id),
		}),
		update: useChange({
			run: ({ report, input }: { readonly report: Report; readonly input: ReportInput }) => patch(report.id, input),
			stale,
			done: () => t.saved,
			undo: (_, { report }) => patch(report.id, { frequency: report.frequency, recipients: addressesOf(report) }),
		}),
		turn: useChange({
			run: (report: Report) => patch(report.id, { is_active: !report.is_active }),
			stale,
			done: ({ is_active: isActive }) => (isActive ? t.turnedOn : t.turnedOff),
			undo: (_, report) => patch(report.id, { is_active: report.is_active }),
		}),
		remove: useChange({
			run: ({ id }: Report) => remove(id),
			stale,
			done: () => t.removed,
			undo: (_, report) =>
				post({ frequency: report.frequency, recipients: addressesOf(report), is_active: report.is_active }),
		}),
		test: useChange({
			run: ({ id }: Report) => call("POST /mail-reports/{id}/test", { path: { id }, query }),
			stale: [],
			done: ({ sent_to: to }) => t.tested(to),
		}),
	};
}
