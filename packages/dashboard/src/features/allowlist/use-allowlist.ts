import { type Answer, call } from "../../api/client.ts";
import { read } from "../../api/read.ts";
import { useChange } from "../../ui/form/use-change.ts";
import { t } from "./texts.ts";

/** Addresses that are let in: one, a range, or an expression. */
export type Pattern = Answer<"GET /ip-allowlist/patterns">["patterns"][number];
/** Input for a new entry. */
export type PatternInput = Pick<Pattern, "pattern" | "pattern_type" | "label">;
/** Whether the list holds, and for whom. */
export type Settings = Pick<
	Answer<"GET /ip-allowlist/settings">,
	"is_enabled" | "enforce_for_dashboard" | "enforce_for_api_tokens"
>;

const stale = [
	"GET /ip-allowlist/settings",
	"GET /ip-allowlist/patterns",
	"GET /ip-allowlist/check-current",
	"GET /ip-allowlist/audit",
] as const;

/** As many visits as a page of the list has. */
export const pageSize = 25;

export const settingsQuery = (site: string) => read("GET /ip-allowlist/settings", { query: { account_id: site } });

export const patternsQuery = (site: string) =>
	read("GET /ip-allowlist/patterns", { query: { account_id: site, include_inactive: true } });

/** Whether the list admits the user's own address. */
export const currentQuery = (site: string) => read("GET /ip-allowlist/check-current", { query: { account_id: site } });

/** A page of the visits, newest first. */
export const visitsQuery = (site: string, { isDenied, page }: { readonly isDenied: boolean; readonly page: number }) =>
	read("GET /ip-allowlist/audit", {
		query: { account_id: site, denied_only: isDenied, limit: pageSize, offset: (page - 1) * pageSize },
	});

/** Switches the rule, or changes for whom it holds. */
export function useSettings(site: string) {
	const put = (body: Settings) => call("PUT /ip-allowlist/settings", { query: { account_id: site }, body });
	return useChange({
		run: ({ to }: { readonly to: Settings; readonly before: Settings }) => put(to),
		stale,
		done: (_, { to, before }) => {
			if (to.is_enabled === before.is_enabled) return t.saved;
			return to.is_enabled ? t.turnedOn : t.turnedOff;
		},
		undo: (_, { before: { is_enabled, enforce_for_dashboard, enforce_for_api_tokens } }) =>
			put({ is_enabled, enforce_for_dashboard, enforce_for_api_tokens }),
	});
}

/** Changes of single patterns, which can be taken back. */
export function usePatterns(site: string) {
	const query = { account_id: site };
	const post = (body: PatternInput & { readonly is_active?: boolean; readonly description?: string | null }) =>
		call("POST /ip-allowlist/patterns", { query, body });
	const remove = (id: number) => call("DELETE /ip-allowlist/patterns/{id}", { path: { id }, query });
	const turn = (id: number, isActive: boolean) =>
		call("PATCH /ip-allowlist/patterns/{id}", { path: { id }, query, body: { is_active: isActive } });
	return {
		add: useChange({
			run: (input: PatternInput) => post(input),
			stale,
			done: ({ pattern }) => t.added(pattern),
			undo: ({ id }) => remove(id),
		}),
		turn: useChange({
			run: ({ id, is_active: isActive }: Pattern) => turn(id, !isActive),
			stale,
			done: ({ pattern }) => t.changed(pattern),
			undo: ({ id }, { is_active: isActive }) => turn(id, isActive),
		}),
		remove: useChange({
			run: ({ id }: Pattern) => remove(id),
			stale,
			done: (_, { pattern }) => t.removed(pattern),
			undo: (_, { pattern, pattern_type, label, description, is_active }) =>
				post({ pattern, pattern_type, label, description, is_active }),
		}),
	};
}

/** Changes of many patterns at once. */
export function useManyPatterns(site: string) {
	const query = { account_id: site };
	return {
		add: useChange({
			run: ({ text, prefix }: { readonly text: string; readonly prefix: string }) =>
				call("POST /ip-allowlist/import", {
					query,
					body: { text, ...(prefix !== "" && { label_prefix: prefix }) },
				}),
			stale,
			done: ({ success_count: added }) => t.imported(added),
		}),
		remove: useChange({
			run: (ids: readonly number[]) =>
				call("POST /ip-allowlist/patterns/bulk-delete", { query, body: { pattern_ids: ids } }),
			stale,
			done: ({ success_count: removed, error_count: kept, errors: [first] }) =>
				kept > 0 ? t.notRemoved(kept, first?.message ?? "") : t.removedSome(removed),
		}),
	};
}
