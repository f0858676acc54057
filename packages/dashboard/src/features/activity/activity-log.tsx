import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { X } from "lucide-react";
import { useId } from "react";
import { read } from "../../api/read.ts";
import { asFailure } from "../../lib/failure.ts";
import { viewValue, withView } from "../../lib/view.ts";
import { Button } from "../../ui/button/button.tsx";
import { Items } from "../../ui/items/items.tsx";
import { Loaded } from "../../ui/loaded/loaded.tsx";
import { pageOf } from "../../ui/pager/pager.tsx";
import { PageFoot, type SiteSearch, useChangeSearch, useSiteSearch } from "../site/index.ts";
import { actionWords } from "./action-words.ts";
import styles from "./activity.module.css";
import { Entry } from "./entry.tsx";
import { t } from "./texts.ts";

const pageSize = 50;

interface ActivityLogProps {
	/** Only what happened at this site; everything that the reader may see when absent. */
	readonly siteId?: string;
	/** Only what happened to this organization and its sites. */
	readonly organization?: string;
}

/** The activity log, newest first, with old and new values. */
export function ActivityLog({ siteId, organization }: ActivityLogProps) {
	const search = useSiteSearch();
	const page = pageOf(search.page);
	const query = {
		...filterOf(search),
		...(siteId !== undefined && { account_id: siteId }),
		...(organization !== undefined && { organization }),
		page,
		page_size: pageSize,
	};
	const logs = useQuery({ ...read("GET /audit/logs", { query }), placeholderData: keepPreviousData });
	if (logs.error && asFailure(logs.error).status === 403) return <p className="muted">{t.closed}</p>;
	return (
		<>
			<ActivityFilters />
			<Loaded query={logs} isEmpty={({ total }) => total === 0} empty={<Empty />}>
				{({ logs: entries, total }) => (
					<>
						<Items label={t.log}>
							{entries.map((entry) => (
								<Entry key={entry.id} entry={entry} namesSite={siteId === undefined} />
							))}
						</Items>
						<PageFoot page={page} pageSize={pageSize} total={total} />
					</>
				)}
			</Loaded>
		</>
	);
}

function Empty() {
	const { view } = useSiteSearch();
	const change = useChangeSearch();
	if (view.length === 0) return <p>{t.none}</p>;
	return (
		<>
			<p>{t.filtered}</p>
			<Button small onClick={() => change({ view: [], page: undefined })}>
				{t.clear}
			</Button>
		</>
	);
}

/** The filter in the address: one action or all of a resource, a user, dates. */
function filterOf({ view }: SiteSearch) {
	const what = viewValue(view, "what");
	const by = Number(viewValue(view, "by"));
	const [from, to] = [viewValue(view, "from"), viewValue(view, "to")];
	return {
		...(what !== undefined && (what.includes(".") ? { action: what } : { resource_type: what })),
		...(by > 0 && { user_id: by }),
		...(isDay(from) && { from_date: from }),
		...(isDay(to) && { to_date: to }),
	};
}

const isDay = (text: string | undefined): text is string => text !== undefined && /^\d{4}-\d{2}-\d{2}$/.test(text);

/** Filters of the activity log: actions, user and dates. */
function ActivityFilters() {
	const { view } = useSiteSearch();
	const change = useChangeSearch();
	const set = (name: string, value: string) =>
		change({ view: withView(view, name, value === "" ? [] : [value]), page: undefined });
	const who = viewValue(view, "who");
	return (
		<div className={styles.filters}>
			<ActionChoice value={viewValue(view, "what") ?? ""} onChange={(value) => set("what", value)} />
			<Day label={t.from} value={viewValue(view, "from")} onChange={(value) => set("from", value)} />
			<Day label={t.to} value={viewValue(view, "to")} onChange={(value) => set("to", value)} />
			{who !== undefined && (
				<Button small onClick={() => change({ view: withView(withView(view, "who", []), "by", []), page: undefined })}>
					{t.by(who)} <X size={14} aria-hidden="true" />
				</Button>
			)}
		</div>
	);
}

function ActionChoice({ value, onChange }: { readonly value: string; readonly onChange: (value: string) => void }) {
	const { data } = useQuery({ ...read("GET /audit/actions"), staleTime: Number.POSITIVE_INFINITY });
	const actions = data?.actions.map(({ action }) => action) ?? [];
	const known = [...new Set([...actions, ...(value === "" ? [] : [value])])]
		.map((action) => ({ action, words: actionWords(action) }))
		.sort((a, b) => a.words.localeCompare(b.words));
	return (
		<label className={styles.field}>
			{t.what}
			<select value={value} onChange={(event) => onChange(event.target.value)}>
				<option value="">{t.all}</option>
				{known.map(({ action, words }) => (
					<option key={action} value={action}>
						{words}
					</option>
				))}
			</select>
		</label>
	);
}

interface DayProps {
	readonly label: string;
	readonly value: string | undefined;
	readonly onChange: (value: string) => void;
}

function Day({ label, value = "", onChange }: DayProps) {
	const id = useId();
	return (
		<div className={styles.field}>
			<label htmlFor={id}>{label}</label>
			<input id={id} type="date" value={value} onChange={(event) => onChange(event.target.value)} />
		</div>
	);
}
