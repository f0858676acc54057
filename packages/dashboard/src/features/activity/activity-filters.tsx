import { useQuery } from "@tanstack/react-query";
import { X } from "lucide-react";
import { useId } from "react";
import { read } from "../../api/read.ts";
import { viewValue, withView } from "../../lib/view.ts";
import { Button } from "../../ui/button/button.tsx";
import { useChangeSearch, useSiteSearch } from "../site/index.ts";
import { actionWords } from "./action-words.ts";
import styles from "./activity.module.css";
import { t } from "./texts.ts";

/** Filters of the activity log: actions, user and dates. */
export function ActivityFilters() {
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
