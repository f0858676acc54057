import { useQuery } from "@tanstack/react-query";
import { Diamond } from "lucide-react";
import { Suspense, useRef, useState } from "react";
import { read } from "../../api/read.ts";
import { timeIn, todayIn } from "../../lib/days.ts";
import { plural, texts } from "../../lib/language.ts";
import { Popover } from "../../ui/popover/popover.tsx";
import type { Alert } from "../alerts/index.ts";
import { useSite } from "../site/index.ts";
import { groupMarks, type PointMarks } from "./group-marks.ts";
import { MarkEntries, NoteDialog } from "./later-parts.ts";
import type { Entry } from "./mark-entries.tsx";
import type { Note } from "./note-words.ts";
import styles from "./notes.module.css";

const t = texts({
	en: {
		marks: "Annotations and alerts",
		both: (n: number) => `${n} entries`,
		notes: (n: number, names: string) => `${n} ${plural(n, "annotation", "annotations")}: ${names}`,
		alerts: (n: number, names: string) => `${n} ${plural(n, "alert", "alerts")}: ${names}`,
	},
	es: {
		marks: "Anotaciones y alertas",
		both: (n: number) => `${n} entradas`,
		notes: (n: number, names: string) => `${n} ${plural(n, "anotación", "anotaciones")}: ${names}`,
		alerts: (n: number, names: string) => `${n} ${plural(n, "alerta", "alertas")}: ${names}`,
	},
});

/** The time that a point of the chart stands for. */
interface Point {
	readonly date: string;
	readonly until: string;
	readonly hour?: number | undefined;
}

interface ChartMarksProps {
	readonly points: readonly Point[];
	readonly days: { readonly from: string; readonly to: string };
	/** Where a point lies, in pixels. */
	readonly x: (index: number) => number;
}

/** Marks need this much room each, in pixels. */
const leastDistance = 34;

/** Alerts and annotations of the drawn period as one row of marks, grouped where they are close. */
export function ChartMarks({ points, days, x }: ChartMarksProps) {
	const row = useRef<HTMLElement>(null);
	const [changed, setChanged] = useState<Note>();
	const groups = groupMarks(byPoint(useEntries(days), points), x, leastDistance);
	return (
		<section ref={row} tabIndex={-1} className={styles.marks} aria-label={t.marks}>
			{groups.map(({ index, entries }) => (
				<div key={index} className={styles.mark} style={{ insetInlineStart: x(index) }}>
					<Mark entries={entries} onChange={setChanged} onRemoved={() => row.current?.focus()} />
				</div>
			))}
			<Suspense>{changed && <NoteDialog of={changed} onClose={() => setChanged(undefined)} />}</Suspense>
		</section>
	);
}

/** Alerts and notes of some days, with the moment at which each stands on the site's clock. */
function useEntries({ from, to }: ChartMarksProps["days"]): readonly Entry[] {
	const site = useSite();
	const query = { account_id: site.id, from_date: from, to_date: to };
	const alerts = useQuery(read("GET /alerts/history", { query: { ...query, limit: 100 } }));
	const notes = useQuery(read("GET /annotations", { query }));
	const ofAlert = (alert: Alert): Entry => {
		const moment = new Date(alert.triggered_at);
		return { alert, date: todayIn(site.timezone, moment), hour: Number(timeIn(site.timezone, moment).slice(0, 2)) };
	};
	const ofNote = (note: Note): Entry => ({ note, date: note.date, hour: note.hour });
	return [...(alerts.data?.alerts ?? []).map(ofAlert), ...(notes.data ?? []).map(ofNote)];
}

/** Entries by point, in order of time; an entry for a whole day belongs to its first hour. */
function byPoint(entries: readonly Entry[], points: readonly Point[]): readonly PointMarks<Entry>[] {
	const indexOf = ({ date, hour }: Entry) =>
		points.findIndex(
			(point) => point.date <= date && date <= point.until && (point.hour === undefined || point.hour === (hour ?? 0)),
		);
	const sorted = entries.toSorted((one, other) =>
		one.date === other.date ? (one.hour ?? -1) - (other.hour ?? -1) : one.date < other.date ? -1 : 1,
	);
	return [...Map.groupBy(sorted, indexOf)]
		.filter(([index]) => index >= 0)
		.map(([index, some]) => ({ index, entries: some }))
		.toSorted((one, other) => one.index - other.index);
}

interface MarkProps {
	readonly entries: readonly Entry[];
	readonly onChange: (note: Note) => void;
	readonly onRemoved: () => void;
}

function Mark({ entries, onChange, onRemoved }: MarkProps) {
	const alerts = entries.flatMap(({ alert }) => (alert ? [alert.rule_name] : []));
	const notes = entries.flatMap(({ note }) => (note ? [note.text] : []));
	const parts = [
		...(alerts.length > 0 ? [t.alerts(alerts.length, alerts.join(", "))] : []),
		...(notes.length > 0 ? [t.notes(notes.length, notes.join(", "))] : []),
	];
	const name = parts.length > 1 ? `${t.both(entries.length)}: ${parts.join("; ")}` : parts.join();
	return (
		<Popover
			look="quiet"
			small
			name={name}
			buttonProps={{ title: name }}
			label={
				<>
					{alerts.length > 0 && <Diamond size={12} className={styles.alert} aria-hidden="true" />}
					{notes.length > 0 && <Diamond size={12} className={styles.note} aria-hidden="true" />}
					{entries.length > 1 && <span className={styles.count}>{entries.length}</span>}
				</>
			}
		>
			{(close) => (
				<MarkEntries
					entries={entries}
					onDone={close}
					onChange={(note) => {
						close();
						onChange(note);
					}}
					onRemoved={() => {
						close();
						onRemoved();
					}}
				/>
			)}
		</Popover>
	);
}
